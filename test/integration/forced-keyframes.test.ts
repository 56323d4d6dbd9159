import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeBlack } from '../../src/service/capture/feed-format.ts';
import { formatCluster, formatHeader, trackNumbers } from '../../src/service/capture/matroska.ts';
import { pictureArgs } from '../../src/service/one-click/encode-args.ts';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';

const settings = { ...encodePresets['720p30'], fps: 10, keyframeSeconds: 1 };
const size = { width: 64, height: 36, fps: 10 };

/** The times of the keyframes in FLV, in milliseconds from the first frame (FLV specification, E.4.3.1). */
function findKeyframes(flv: Buffer): number[] {
  const times: number[] = [];
  let first: number | undefined;
  for (let at = 13; at < flv.length; at += 15 + flv.readUIntBE(at + 1, 3)) {
    const isCoded = flv[at] === 9 && flv[at + 12] === 1;
    if (!isCoded) continue;
    const timeMs = flv.readUIntBE(at + 4, 3);
    first ??= timeMs;
    if ((flv[at + 11] ?? 0) >> 4 === 1) times.push(timeMs - first);
  }
  return times;
}

test('after a gap of several GOPs there is one keyframe, and the next ones are on the grid of time', async () => {
  const { path } = await getFfmpeg();
  const args = pictureArgs({ ...settings, ...size }, { encoder: 'libx264', looksAhead: false, bitrateBps: 500_000 });
  // Nobody reads its progress.
  const quiet = args.map((arg) => (arg === 'pipe:3' ? 'pipe:2' : arg));
  const ffmpeg = spawn(path, quiet, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(ffmpeg, 'exit');
  const flv = buffer(ffmpeg.stdout);
  const black = makeBlack(size);
  ffmpeg.stdin.write(formatHeader(size, { video: true, audio: false }));
  // 1.5 s, a gap of 5 s, and 2.5 s more.
  const times = Array.from({ length: 90 }, (_, frame) => frame * 100).filter((timeMs) => timeMs < 1_500 || timeMs >= 6_500);
  for (const timeMs of times) {
    const [head] = formatCluster(timeMs, [{ track: trackNumbers.video, sizeBytes: black.length }]);
    ffmpeg.stdin.write(Buffer.concat([head ?? Buffer.alloc(0), black]));
  }
  ffmpeg.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(findKeyframes(await flv)).toEqual([0, 1_000, 6_500, 7_000, 8_000]);
});
