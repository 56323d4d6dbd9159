import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { encodeFlv } from '../support/ffmpeg.ts';
import { withMessageFrames } from '../support/flv-builder.ts';
import { expectAllButLeftOut } from '../support/left-out-parts.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, type PlayerLog, readPlayed, waitForEnd, waitUntilPlayed } from '../support/player-page.ts';

/** What the page records about its player. */
interface PlayerWindow extends PlayerLog {
  Hls: typeof Hls;
  problems: { details: string; fatal: boolean; error: string }[];
  /** The time and height of each picture that was shown. */
  shown: { atSeconds: number; height: number }[];
}

let browser: Browser;
/** Seven seconds with a keyframe every two. */
let short: FlvTag[];

beforeAll(async () => {
  [browser, short] = await Promise.all([launchChromium(), encode(7, '320x180', ['-g', '60'])]);
});

afterAll(async () => {
  await browser.close();
});

async function play(page: Page, url: string, lowLatencyMode = true): Promise<void> {
  await page.evaluate(
    ([source, lowLatency]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.problems = [];
      page.shown = [];
      const keep = (_atMs: number, { mediaTime, height }: VideoFrameCallbackMetadata) => {
        page.shown.push({ atSeconds: mediaTime, height });
        video.requestVideoFrameCallback(keep);
      };
      video.requestVideoFrameCallback(keep);
      const hls = new page.Hls({ lowLatencyMode: lowLatency, debug: page.logger });
      hls.on(page.Hls.Events.ERROR, (_event, { details, fatal, error }) => {
        page.problems.push({ details, fatal, error: String(error) });
      });
      hls.loadSource(source);
      hls.attachMedia(video);
      void video.play();
    },
    [url, lowLatencyMode] as const,
  );
}

const encode = (seconds: number, size: string, extra: readonly string[] = []) =>
  encodeFlv([
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=sample_rate=48000:duration=${seconds}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30', ...extra],
    ...['-c:a', 'aac', '-b:a', '96k'],
  ]);

/** As a lost encoder leaves it: without the audio of its last pictures. That is up to 90 ms with B-frames, a hole that hls.js plays over. */
const withoutLastAudio = (tags: readonly FlvTag[], seconds: number) =>
  tags.filter(({ kind, timestampMs }) => kind !== 'audio' || timestampMs < seconds * 1000 - 25);

it.concurrent('hls.js plays through a returning publisher, another with a different picture, and the end, without a fatal error', async () => {
  await using stand = await startPlaybackStand();
  const [first, again, other] = await Promise.all([
    encode(6, '320x180', ['-bf', '3']).then((tags) => withoutLastAudio(tags, 6)),
    encode(3, '320x180', ['-bf', '3']).then((tags) => withoutLastAudio(tags, 3)),
    encode(3, '640x360'),
  ]);
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  const supported = await page.evaluate(() => MediaSource.isTypeSupported('video/mp4; codecs="avc1.42E01E,mp4a.40.2"'));
  expect(supported, 'this Chromium decodes H.264 and AAC; Debian and Google build such').toBe(true);

  // Four seconds and the next keyframe at once, so that the player can start, and the rest in real time. Without the keyframe the fourth
  // segment ends while the player loads its parts: hls.js may then skip its last one ("Known wrinkles" in docs/architecture.md).
  const options = { targetSegmentSeconds: 1 };
  const publisher = stand.createPackager(options);
  const head = first.filter(({ timestampMs }) => timestampMs < 4100);
  for (const tag of head) publisher.push(tag);
  await play(page, stand.multivariantUrl);
  const broadcasting = stand
    .mediaAsked('source')
    .then(() => feedInRealTime(publisher, first.slice(head.length), 4100))
    .then(() => feedInRealTime(stand.createPackager(options), again))
    .then(() => feedInRealTime(stand.endingWith(stand.createPackager(options)), other));

  const video = page.locator('video');
  await broadcasting;
  await waitForEnd(page);
  // First the pictures of the first two publishers, of three seconds and more each, then those of the third.
  const shown = await page.evaluate(() => (window as unknown as PlayerWindow).shown);
  const within = (from: number, to: number) => shown.filter(({ atSeconds }) => atSeconds > from && atSeconds < to);
  expect(new Set(within(6.5, 8.5).map(({ height }) => height))).toEqual(new Set([180]));
  expect(new Set(within(9.5, 11.5).map(({ height }) => height))).toEqual(new Set([360]));

  const { duration, ranges, frames, startedAt } = await video.evaluate((element: HTMLVideoElement) => ({
    duration: element.duration,
    ranges: Array.from(
      { length: element.buffered.length },
      (_, index) => [element.buffered.start(index), element.buffered.end(index)] as const,
    ),
    frames: element.getVideoPlaybackQuality().totalVideoFrames,
    startedAt: element.played.start(0),
  }));
  // hls.js counts a segment as played that it has only in part, so it may leave out the last parts of the last second: the one that appears
  // with the end, and those that appear while it is busy.
  expect(12 - duration).toBeGreaterThan(-0.05);
  expect(12 - duration).toBeLessThan(1);
  expect(ranges.at(-1)?.[1]).toBe(duration);
  expectAllButLeftOut(stand, ranges, { segments: 12, holes: 2 });
  // With low latency, playback starts near the live edge.
  expect(startedAt).toBeGreaterThan(3);
  const hadSeconds = ranges.reduce((sum, [start, end]) => sum + end - Math.max(start, startedAt), 0);
  expect(frames).toBeGreaterThan(hadSeconds * 30 * 0.95);
  const problems = await page.evaluate(() => (window as unknown as PlayerWindow).problems);
  expect(problems.filter(({ fatal }) => fatal)).toEqual([]);
  expect(stand.malformed).toEqual([]);
});

it.concurrent.each([
  { way: 'without low latency', lowLatencyMode: false },
  { way: 'with low latency', lowLatencyMode: true },
])('hls.js reaches the end of a broadcast whose audio ends before its last segment, $way', async ({ lowLatencyMode }) => {
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;

  const publisher = stand.createPackager({ targetSegmentSeconds: 2 });
  const send = (fromMs: number, isSent: (tag: FlvTag) => boolean) => {
    for (const tag of short) if (tag.timestampMs >= fromMs && isSent(tag)) publisher.push(tag);
  };
  send(0, ({ timestampMs }) => timestampMs < 4500);
  await play(page, stand.multivariantUrl, lowLatencyMode);
  await waitUntilPlayed(page, 0.5);
  // The last segment is one picture at 6 s, as when a stopped encoder drops the audio it has not encoded yet.
  send(4500, ({ kind, timestampMs }) => timestampMs < (kind === 'audio' ? 5_900 : 6_030));
  publisher.end();
  stand.end();
  await waitForEnd(page);

  const { currentTime, duration } = await page.locator('video').evaluate((video: HTMLVideoElement) => ({
    currentTime: video.currentTime,
    duration: video.duration,
  }));
  expect(stand.store.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([2, 2, 2, expect.closeTo(1 / 30, 5)]);
  expect(duration).toBeCloseTo(6, 0);
  expect(currentTime).toBe(duration);
  const problems = await page.evaluate(() => (window as unknown as PlayerWindow).problems);
  expect(problems.filter(({ fatal }) => fatal)).toEqual([]);
});

it.concurrent('hls.js plays a broadcast whose encoder sends a message without a picture before each frame', async () => {
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;

  const publisher = stand.createPackager({ targetSegmentSeconds: 2 });
  for (const tag of withMessageFrames(short)) if (tag.timestampMs < 4_000) publisher.push(tag);
  publisher.end();
  stand.end();
  await play(page, stand.mediaUrl, false);
  await waitForEnd(page);

  expect(stand.store.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([2, 2]);
  expect((await readPlayed(page)).frames).toBeLessThanOrEqual(120);
  const problems = await page.evaluate(() => (window as unknown as PlayerWindow).problems);
  expect(problems.filter(({ fatal }) => fatal)).toEqual([]);
  expect(stand.malformed).toEqual([]);
});
