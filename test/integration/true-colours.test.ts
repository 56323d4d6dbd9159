import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DeviceCaptures } from '../../src/service/capture/device-captures.ts';
import { type CaptureTools, openPicture } from '../../src/service/capture/parts.ts';
import { RunningPreview } from '../../src/service/capture/source-preview.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { PictureSource } from '../../src/shared/model/source.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';
import { noCaptures } from '../support/no-captures.ts';
import { openXPainter } from '../support/x-painter.ts';
import { startX11Display } from '../support/x11-display.ts';

const format = { width: 32, height: 18, fps: 10 };
const ffmpegs = [
  ['the usual ffmpeg', async () => (await getFfmpeg()).path],
  ['ffmpeg 9', async () => getNewerFfmpeg()],
] as const;
/** Red in BT.709's matrix and limited range (ITU-R BT.709-6, items 3.2 to 3.4), as players take a picture of HD that names no colours. */
const red = [63, 102, 240].map((value) => expect.closeTo(value, -1));

function toolsWith(ffmpegPath: string): CaptureTools {
  return {
    ...noCaptures,
    shared: new DeviceCaptures(noCaptures.devices),
    ffmpegPath,
    deviceFfmpegs: { paths: new Map([['x11grab', ffmpegPath]]), installCommand: undefined },
    clockFontPath: undefined,
  };
}

/** Red, green and blue in the middle of the first JPEG of a picture's preview. */
async function readPreview(main: PictureSource, ffmpegPath: string): Promise<number[]> {
  const source = { picture: { main }, sound: { inputs: [], limits: false } };
  const preview = new RunningPreview(source, toolsWith(ffmpegPath), createSystemClock());
  onTestFinished(() => preview.close());
  const jpeg = await new Promise<string>((resolve) => {
    preview.changes.on(() => {
      if (preview.current.jpeg !== undefined) resolve(preview.current.jpeg);
    });
  });
  const middle = ['-vf', 'crop=2:2,scale=1:1,format=rgb24', '-f', 'rawvideo', '-'];
  const { output } = await runFfmpeg(['-v', 'error', '-i', '-', ...middle], Buffer.from(jpeg, 'base64'));
  return [...output];
}

/** A red image in a file of this ending. */
async function makeRedImage(ending: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'colours-')), `red.${ending}`);
  const input = ['-f', 'lavfi', '-i', 'color=red:size=64x36,format=rgb24'];
  await runFfmpeg(['-v', 'error', ...input, '-frames:v', '1', '-q:v', '1', path]);
  return path;
}

/** Brightness and both colours of the first picture, away from its middle, where a screen has its mouse pointer. */
async function readColour(source: PictureSource, ffmpegPath: string): Promise<number[]> {
  const picture = openPicture(source, format, toolsWith(ffmpegPath));
  onTestFinished(() => picture.close());
  await picture.settled;
  const taken = picture.take();
  if (taken === undefined) throw new Error(`There is no picture: ${JSON.stringify(picture.fault)}`);
  const pixels = format.width * format.height;
  const colour = (at: number) => taken.bytes[at] ?? 0;
  const found = [4 * format.width + 4, pixels + 2 * 16 + 2, pixels * 1.25 + 2 * 16 + 2].map(colour);
  taken.release();
  return found;
}

describe.each(ffmpegs)('with %s', (_name, find) => {
  test.each(['png', 'jpg'])('a red image in %s is as red on air', async (ending) => {
    const path = await makeRedImage(ending);
    expect(await readColour({ kind: 'still', path }, await find())).toEqual(red);
  });

  test('a red image is as red in its preview', async () => {
    const shown = await readPreview({ kind: 'still', path: await makeRedImage('png') }, await find());
    expect(shown).toEqual([255, 0, 0].map((value) => expect.closeTo(value, -1)));
  });

  test.each([
    ['FFV1', 'mkv', ['-vf', 'format=gbrp', '-c:v', 'ffv1']],
    ['GIF', 'gif', []],
  ])('a red file in %s, which is RGB, is as red on air', async (_codec, ending, args) => {
    const path = join(await mkdtemp(join(tmpdir(), 'colours-')), `red.${ending}`);
    await runFfmpeg([
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=red:size=64x36:rate=10,format=rgb24',
      '-t',
      '1',
      ...args,
      path,
    ]);
    expect(await readColour({ kind: 'files', paths: [path], loops: false }, await find())).toEqual(red);
  });

  test.each(['bt470bg', 'bt709', 'unknown'])(
    'the colours of a file with the matrix %s are sent as they are',
    async (matrix) => {
      const path = join(await mkdtemp(join(tmpdir(), 'colours-')), 'red.mkv');
      const input = ['-f', 'lavfi', '-i', 'color=red:size=64x36:rate=10,format=yuv420p'];
      await runFfmpeg(['-v', 'error', ...input, '-t', '1', '-c:v', 'ffv1', '-colorspace', matrix, path]);
      const { output } = await runFfmpeg(['-v', 'error', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-']);
      const stored = [0, 64 * 36, 64 * 36 * 1.25].map((at) => output[at]);
      expect(await readColour({ kind: 'files', paths: [path], loops: false }, await find())).toEqual(stored);
    },
  );

  test('a file in full range is as bright on air', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'range-')), 'white.mkv');
    const white = ['-f', 'lavfi', '-i', 'color=white:size=64x36:rate=25,format=yuvj420p'];
    await runFfmpeg(['-v', 'error', ...white, '-t', '1', '-c:v', 'mjpeg', path]);
    expect(await readColour({ kind: 'files', paths: [path], loops: false }, await find())).toEqual([235, 128, 128]);
  });
});

test.skipIf(process.platform !== 'linux')('a red screen is as red on air', async () => {
  await using display = await startX11Display('64x36');
  vi.stubEnv('DISPLAY', display.name);
  onTestFinished(() => void vi.unstubAllEnvs());
  using painter = await openXPainter(display.name);
  painter.fill(0xff0000, [{ x: 0, y: 0, width: 64, height: 36 }]);
  const screen = { kind: 'screen', device: { id: display.name, name: 'Screen' } } as const;
  const { path } = await getFfmpeg();
  await expect.poll(() => readColour(screen, path)).toEqual(red);
});
