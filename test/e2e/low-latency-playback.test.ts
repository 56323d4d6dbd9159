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

/** What the page records about its player. */
interface PlayerWindow {
  Hls: typeof Hls;
  hls: Hls;
  fatal: string[];
  /** The delivery directives of each playlist that it loaded (rfc8216bis §6.2.5), '' for none. */
  directives: Set<string>;
  /** The file names of the media that it loaded. */
  media: string[];
}

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
});

it.concurrent.each([
  {
    name: 'with low latency: part by part, as they are announced, three parts behind the live edge',
    lowLatencyMode: true,
    targetLatencySeconds: 0.6,
  },
  {
    name: 'without low latency: whole segments, three of them behind the live edge',
    lowLatencyMode: false,
    targetLatencySeconds: 3,
  },
])('hls.js plays $name', async ({ lowLatencyMode, targetLatencySeconds }) => {
  await using stand = await startPlaybackStand({ page: blankPage });
  const tags = await encodeFlv([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30:duration=14'],
    ...['-f', 'lavfi', '-i', 'sine=sample_rate=48000:duration=14'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '30'],
    ...['-c:a', 'aac', '-b:a', '96k'],
  ]);
  const page = await browser.newPage();
  await page.goto(new URL('/', stand.mediaUrl).href);
  await page.addScriptTag({ path: hlsScript });

  // The first eight seconds at once, so that the player can start, and the rest in real time.
  const packager = stand.createPackager({ targetSegmentSeconds: 1 });
  const head = tags.filter(({ timestampMs }) => timestampMs < 8000);
  for (const tag of head) packager.push(tag);
  const broadcasting = feedInRealTime(packager, tags.slice(head.length), 8000).then(() => stand.end());
  await page.evaluate(
    ([source, lowLatency]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.fatal = [];
      page.directives = new Set();
      page.media = [];
      page.hls = new page.Hls({ lowLatencyMode: lowLatency });
      page.hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) page.fatal.push(details);
      });
      page.hls.on(page.Hls.Events.LEVEL_LOADED, (_event, { networkDetails }) => {
        const { searchParams } = new URL((networkDetails as XMLHttpRequest).responseURL);
        page.directives.add([...searchParams.keys()].sort().join());
      });
      page.hls.on(page.Hls.Events.FRAG_LOADED, (_event, { part, frag }) => {
        page.media.push(new URL(part?.url ?? frag.url).pathname.split('/').at(-1) ?? '');
      });
      page.hls.loadSource(source);
      page.hls.attachMedia(video);
      void video.play();
    },
    [stand.multivariantUrl, lowLatencyMode] as const,
  );
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
  const targetLatency = await page.evaluate(() => (window as unknown as PlayerWindow).hls.targetLatency);
  await broadcasting;
  await page.waitForFunction(() => document.querySelector('video')?.ended);
  const seen = await page.evaluate(() => {
    const { fatal, directives, media } = window as unknown as PlayerWindow;
    const { duration, currentTime, buffered } = document.querySelector('video') as HTMLVideoElement;
    const ends = Array.from({ length: buffered.length }, (_, index) => buffered.end(index));
    return { fatal, directives: [...directives].sort(), media, isAtEnd: currentTime === duration, ends, duration };
  });
  // Both use blocking reloads; only with low latency does the player load parts.
  const { media, ...rest } = seen;
  expect({ ...rest, targetLatency, loadsParts: media.some((name) => /^\d+-\d+\.m4s$/.test(name)) }).toEqual({
    fatal: [],
    directives: ['', '_HLS_msn,_HLS_part,_HLS_skip'],
    isAtEnd: true,
    ends: [seen.duration],
    duration: expect.closeTo(14, 1),
    targetLatency: targetLatencySeconds,
    loadsParts: lowLatencyMode,
  });
  await page.close();
});
