import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { EncoderChooser } from '../../src/service/transcode/encoder-choice.ts';
import type { EncoderName } from '../../src/shared/model/encoder.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { makeOddFfmpeg } from '../support/odd-ffmpeg.ts';

/** What x264 makes where hardware is asked for. */
const asHardware = [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-frames:v', '10'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '999', '-force_key_frames', "'expr:eq(n,5)'", '-f', 'flv', 'pipe:1'],
];

test('hardware that was too late is tried again, and used once it works', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tallylight-encoder-choice-'));
  const mark = join(dataFolder, 'tried');
  const path = await makeOddFfmpeg(`case "$*" in
*h264_nvenc*) [ -e '${mark}' ] || { : > '${mark}'; exec sleep 60; }; set -- ${asHardware.join(' ')} ;;
esac`);
  const { version } = await getFfmpeg();
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const chooser = new EncoderChooser({
    ffmpeg: async () => ({ kind: 'found', path, version, from: 'PATH' }),
    choice: () => 'automatic',
    dataFolder,
    closing: closing.signal,
    log: pino({ level: 'silent' }),
    // On a busy computer it may be late once more.
    retryAfterMs: [0, 0, 0],
  });
  const used: (EncoderName | undefined)[] = [];
  const works = Promise.withResolvers<void>();
  chooser.onFound(() => {
    used.push(chooser.found?.used);
    if (used.at(-1) === 'h264_nvenc') works.resolve();
  });
  await Promise.all([chooser.try(), works.promise]);
  expect(used[0]).toBe('libx264');
});
