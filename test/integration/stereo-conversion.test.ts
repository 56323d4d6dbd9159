import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { captureSoundArgs } from '../../src/service/capture/capture-run.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';

/** Half a second of sound at 48 kHz, whose channels stand at 1000, 2000 and so on. */
function makeSound(channels: number): Buffer {
  return Buffer.from(Int16Array.from({ length: 24_000 * channels }, (_, index) => ((index % channels) + 1) * 1000).buffer);
}

/** Left and right after conversion; at the middle, because a limiter or a resampler would still be starting at the edge. */
function convert(ffmpegPath: string, channels: number): number[] {
  const input = ['-f', 's16le', '-ar', '48000', '-ac', String(channels), '-i', 'pipe:0'];
  const { stdout, stderr, status } = spawnSync(ffmpegPath, captureSoundArgs(input), { input: makeSound(channels) });
  expect([stderr.toString(), status]).toEqual(['', 0]);
  const middle = (stdout.length >> 3) * 4;
  return [stdout.readInt16LE(middle), stdout.readInt16LE(middle + 2)];
}

describe.each([
  ['the usual ffmpeg', async () => (await getFfmpeg()).path],
  ['ffmpeg 9', async () => getNewerFfmpeg()],
])('with %s', (_which, find) => {
  test.each([
    ['mono keeps its level on both sides, as in a browser', 1, [1000, 1000]],
    ['stereo stays as it is', 2, [1000, 2000]],
    // Front, 0.707 of the centre, and 0.707 of the back, divided by their sum. The fourth channel is for effects.
    ['surround sound is shared out', 6, [2757, 3465]],
    ['an audio interface with 18 channels is mixed, and not refused', 18, [5034, 5700]],
  ])('%s', async (_what, channels, levels) => {
    expect(convert(await find(), channels)).toEqual(levels);
  });
});
