import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeBlack } from '../../src/service/capture/feed-format.ts';
import { formatCluster, formatHeader, trackNumbers } from '../../src/service/capture/matroska.ts';
import { encodeVideoArgs } from '../../src/service/one-click/encode-args.ts';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import { runFfmpeg } from '../support/ffmpeg.ts';
import { getFfmpeg } from '../support/get-ffmpeg.ts';
import { getNewerFfmpeg } from '../support/newer-ffmpeg.ts';

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

/** What one click makes of pictures at these times, in FLV. */
async function encode(ffmpegPath: string, picture: Buffer, timesMs: readonly number[]): Promise<Buffer> {
  const args = encodeVideoArgs({ ...settings, ...size }, { encoder: 'libx264', looksAhead: false, bitrateBps: 500_000 });
  // Nobody reads its progress.
  const quiet = args.map((arg) => (arg === 'pipe:3' ? 'pipe:2' : arg));
  const ffmpeg = spawn(ffmpegPath, quiet, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(ffmpeg, 'exit');
  const flv = buffer(ffmpeg.stdout);
  ffmpeg.stdin.write(formatHeader(size, { video: true, audio: false }));
  for (const timeMs of timesMs) {
    const [head] = formatCluster(timeMs, [{ track: trackNumbers.video, sizeBytes: picture.length }]);
    ffmpeg.stdin.write(Buffer.concat([head ?? Buffer.alloc(0), picture]));
  }
  ffmpeg.stdin.end();
  expect(await ended).toEqual([0, null]);
  return flv;
}

test('after a gap of several GOPs there is one keyframe, and the next ones are on the grid of time', async () => {
  // 1.5 s, a gap of 5 s, and 2.5 s more.
  const times = Array.from({ length: 90 }, (_, frame) => frame * 100).filter((timeMs) => timeMs < 1_500 || timeMs >= 6_500);
  const flv = await encode((await getFfmpeg()).path, makeBlack(size), times);
  expect(findKeyframes(flv)).toEqual([0, 1_000, 6_500, 7_000, 8_000]);
});

test.each([
  ['the usual ffmpeg', async () => (await getFfmpeg()).path],
  ['ffmpeg 9', async () => getNewerFfmpeg()],
])('%s names the colours of HD, and keeps what they are', async (_name, find) => {
  const pixels = size.width * size.height;
  const [luma, blue, red] = [63, 102, 240];
  const picture = Buffer.concat([Buffer.alloc(pixels, luma), Buffer.alloc(pixels / 4, blue), Buffer.alloc(pixels / 4, red)]);
  const flv = await encode(await find(), picture, [0, 100, 200]);
  const { stderr, output } = await runFfmpeg(['-i', '-', '-frames:v', '1', '-f', 'rawvideo', '-'], flv);
  // Matrix, primaries and transfer characteristics are all the same.
  expect(/Video: h264 .*yuv420p\((.*?), progressive\)/.exec(stderr)?.[1]).toBe('tv, bt709');
  const nearly = (value: number) => expect.closeTo(value, -0.5);
  expect([output[0], output[pixels], output[pixels * 1.25]]).toEqual([luma, blue, red].map(nearly));
});
