import { fileURLToPath } from 'node:url';
import type Hls from 'hls.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { encodeFlv } from '../support/ffmpeg.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';

const hlsScript = fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'));
const blankPage = '<!doctype html><title>Player</title><video muted playsinline width="640"></video>';

/** What the page keeps of its player. */
interface PlayerWindow {
  Hls: typeof Hls;
  hls: Hls;
  stalls: number;
  fatal: string[];
}

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
});

it.each([
  ['with low latency, near the live edge', true, 1.5],
  ['without low latency, as any playlist', false, 8],
] as const)('hls.js plays %s, without a stall', async (_name, lowLatencyMode, maxLatencySeconds) => {
  await using stand = await startPlaybackStand({ page: blankPage });
  const tags = await encodeFlv([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30:duration=24'],
    ...['-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=24'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30'],
    ...['-c:a', 'aac', '-b:a', '96k'],
  ]);
  const page = await browser.newPage();
  await page.goto(new URL('/', stand.mediaUrl).href);
  await page.addScriptTag({ path: hlsScript });

  // Some seconds at once, so that the player has a playlist to start with, and the rest as it would come.
  const packager = stand.createPackager({ targetSegmentSeconds: 1 });
  const head = tags.filter(({ timestampMs }) => timestampMs < 8000);
  for (const tag of head) packager.push(tag);
  const broadcasting = feedInRealTime(packager, tags.slice(head.length), 8000).then(() => stand.end());
  await page.evaluate(
    ([source, lowLatency]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.stalls = 0;
      page.fatal = [];
      page.hls = new page.Hls({ lowLatencyMode: lowLatency });
      page.hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) page.fatal.push(details);
      });
      video.addEventListener(
        'playing',
        () => {
          video.onwaiting = () => {
            if (!video.ended) page.stalls += 1;
          };
        },
        { once: true },
      );
      page.hls.loadSource(source);
      page.hls.attachMedia(video);
      void video.play();
    },
    [stand.multivariantUrl, lowLatencyMode] as const,
  );
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  const startedAt = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await page.waitForFunction((from) => (document.querySelector('video')?.currentTime ?? 0) > from + 7, startedAt);
  const { stalls, fatal, behindSeconds } = await page.evaluate(() => {
    const { stalls, fatal, hls } = window as unknown as PlayerWindow;
    return { stalls, fatal, behindSeconds: hls.latency };
  });
  expect(fatal).toEqual([]);
  expect(stalls).toBe(0);
  expect(behindSeconds).toBeLessThan(maxLatencySeconds);
  await broadcasting;
  await page.close();
});
