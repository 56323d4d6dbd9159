import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capturePictureArgs } from '../../src/service/capture/capture-run.ts';
import { runToEnd } from '../../src/service/lib/run-to-end.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';

const [width, height] = [160, 90];

test.each([
  ['HDV, whose pixels are 4:3', '1440x1080', '4/3', [width, height]],
  ['PAL DVD of 16:9', '720x576', '64/45', [width, height]],
  ['NTSC DVD of 4:3', '720x480', '8/9', [120, height]],
  ['a phone, upright', '1080x1920', '1', [51, height]],
  ['cinema', '2048x858', '1', [width, 67]],
] as const)('%s (%s) keeps its shape, as large as fits', async (_what, size, aspect, expected) => {
  const path = join(await mkdtemp(join(tmpdir(), 'shape-')), 'white.mkv');
  const white = `color=white:size=${size}:rate=5,setsar=${aspect}`;
  await runFfmpeg(['-v', 'error', '-f', 'lavfi', '-i', white, '-t', '0.2', '-c:v', 'mpeg4', path]);
  for (const ffmpegPath of [(await getFfmpeg()).path, await getNewerFfmpeg()]) {
    const args = capturePictureArgs(['-i', `file:${path}`], { width, height, fps: 5 });
    const { stdout } = await runToEnd(ffmpegPath, args, { timeoutMs: 20_000 });
    const isWhite = (left: number, top: number) => (stdout[top * width + left] ?? 0) > 200;
    const row = Array.from({ length: width }, (_, left) => left).filter((left) => isWhite(left, height / 2));
    const column = Array.from({ length: height }, (_, top) => top).filter((top) => isWhite(width / 2, top));
    expect(Math.abs(row.length - expected[0])).toBeLessThanOrEqual(2);
    expect(Math.abs(column.length - expected[1])).toBeLessThanOrEqual(2);
  }
});
