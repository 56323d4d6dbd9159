import type Hls from 'hls.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, type PlayerLog, waitUntilPlayed } from '../support/player-page.ts';
import { broadcastOncePlayed } from '../support/recording-player.ts';
import { makeSource } from '../support/synthetic-source.ts';

const seconds = 11;
const headMs = 4_100;
/** The part before the last of five. */
const busyPart = 3;
/** Until then the playlist lists the last part, and its segment as whole. */
const busyMs = 230;

interface BusyWindow extends PlayerLog {
  Hls: typeof Hls;
  /** How often the page was busy. */
  times: number;
}

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
});

it.concurrent.each([
  { frames: 'without B-frames', x264: ['-bf', '0'] },
  { frames: 'with B-frames', x264: ['-bf', '2'] },
])('hls.js leaves no part out on a page that is busy whenever a segment ends, $frames', async ({ x264 }) => {
  const tags = await makeSource({ seconds, rate: '30', gopFrames: 30, x264 });
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  const broadcasting = broadcastOncePlayed(stand, { tags, headMs, targetSegmentSeconds: 1 });
  await page.evaluate(
    ([url, busyPart, busyMs]) => {
      const page = window as unknown as BusyWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      const hls = new page.Hls({ debug: page.logger });
      page.times = 0;
      hls.on(page.Hls.Events.FRAG_LOADING, (_event, { part }) => {
        if (part?.index !== busyPart) return;
        page.times += 1;
        // After the request has left.
        setTimeout(() => {
          const untilMs = performance.now() + busyMs;
          while (performance.now() < untilMs);
        });
      });
      hls.loadSource(url);
      hls.attachMedia(video);
      void video.play();
    },
    [stand.multivariantUrl, busyPart, busyMs] as const,
  );
  await broadcasting;
  // How it ends is another story.
  await waitUntilPlayed(page, seconds - 1.5);
  const { times, ranges } = await page.evaluate(() => {
    const { buffered } = document.querySelector('video') as HTMLVideoElement;
    return { times: (window as unknown as BusyWindow).times, ranges: buffered.length };
  });
  expect(ranges).toBe(1);
  expect(times).toBeGreaterThan(3);
});
