import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { encoderArgs } from '../../src/service/transcode/encoder-args.ts';
import { EncoderName } from '../../src/shared/model/encoder.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';

const run = promisify(execFile);
const target = {
  width: 1280,
  height: 720,
  fps: 30,
  bitrateBps: 1_000_000,
  maxBitrateBps: 1_000_000,
  isForWeakDecoders: true,
  gopFrames: 30,
  looksAhead: true,
} as const;
/** Options of ffmpeg itself and of all encoders in its library; the others are an encoder's own. */
const general = ['-c', '-b', '-maxrate', '-bufsize', '-bf', '-g', '-sc_threshold'];

/** The values of an option with constants; an option without constants takes numbers. */
function readOptions(help: string): Map<string, string[]> {
  const options = new Map<string, string[]>();
  let values: string[] = [];
  for (const line of help.split('\n')) {
    const [, option] = /^ {2}(-\S+) +<\w+>/.exec(line) ?? [];
    const [, value] = /^ {5}(\S+) /.exec(line) ?? [];
    if (option !== undefined) {
      values = [];
      options.set(option, values);
    } else if (value !== undefined) values.push(value);
  }
  return options;
}

let ffmpegPath: string;
let encoders: string;
beforeAll(async () => {
  ffmpegPath = (await getFfmpeg()).path;
  encoders = (await run(ffmpegPath, ['-hide_banner', '-encoders'])).stdout;
});

test.each(EncoderName.options)('%s accepts every option we pass, where this ffmpeg has it', async (encoder) => {
  const { stdout } = await run(ffmpegPath, ['-hide_banner', '-h', `encoder=${encoder}`]);
  const isBuiltIn = new RegExp(`^ V\\S+ ${encoder} `, 'm').test(encoders);
  const options = readOptions(stdout);
  expect(options.size > 0).toBe(isBuiltIn);
  const args = encoderArgs[encoder].codec(target);
  for (let index = 0; isBuiltIn && index < args.length; index += 2) {
    const [option = '', value = ''] = [args[index]?.replace(/:v$/, ''), args[index + 1]];
    if (general.includes(option)) continue;
    expect([...options.keys()]).toContain(option);
    const values = options.get(option) ?? [];
    if (values.length > 0 && !/^\d/.test(value)) expect(values).toContain(value);
  }
});
