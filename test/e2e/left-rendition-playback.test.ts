import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import type shaka from 'shaka-player';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { makeLadder, startLiveLadder } from '../support/live-ladder.ts';
import { openPlayerPage, waitForHeight } from '../support/player-page.ts';
import { readPlaylist } from '../support/read-playlist.ts';

/** What the page keeps of its player. */
interface PlayerWindow {
  Hls: typeof Hls;
  shaka: typeof shaka;
  /** Every error that ended playback. */
  fatal: string[];
  /** Every picture: when it was shown, on the page's clock, and its height. */
  shown: { atMs: number; height: number }[];
}

const seconds = 21;
const left = { fromMs: 10_000, toMs: 14_000 };
/** No picture may stand for longer than this. */
const maxHoldMs = 2_000;

let browser: Browser;
let media: Awaited<ReturnType<typeof makeLadder>>;
beforeAll(async () => {
  [browser, media] = await Promise.all([launchChromium(), makeLadder(seconds)]);
});
afterAll(async () => {
  await browser.close();
});

/** Takes the lightest rendition that there is, always. */
const loadHls = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    ([source, lowLatency]) => {
      const { Hls, fatal } = window as unknown as PlayerWindow;
      const hls = new Hls({
        ...{ lowLatencyMode: lowLatency, testBandwidth: false, startLevel: 0 },
        ...{ abrBandWidthFactor: 1e-9, abrBandWidthUpFactor: 1e-9, abrEwmaDefaultEstimate: 1 },
      });
      hls.on(Hls.Events.ERROR, (_event, { details, fatal: isFatal }) => {
        if (isFatal) fatal.push(details);
      });
      hls.loadSource(source);
      const video = document.querySelector('video') as HTMLVideoElement;
      hls.attachMedia(video);
      void video.play();
    },
    [url, lowLatencyMode] as const,
  );

/** Takes the lightest rendition as long as it has everything. */
const loadShaka = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    async ([source, lowLatency]) => {
      const { shaka, fatal } = window as unknown as PlayerWindow;
      const player = new shaka.Player();
      player.addEventListener('error', (event) => {
        fatal.push(JSON.stringify((event as unknown as { detail: unknown }).detail));
      });
      const video = document.querySelector('video') as HTMLVideoElement;
      await player.attach(video);
      player.configure({
        streaming: { lowLatencyMode: lowLatency },
        abr: { restrictions: { maxHeight: 120 } },
      });
      await player.load(source);
      await video.play();
    },
    [url, lowLatencyMode] as const,
  );

/** The page keeps when each picture was shown. */
const watchPictures = (page: Page) =>
  page.evaluate(() => {
    const page = window as unknown as PlayerWindow;
    page.fatal = [];
    page.shown = [];
    const video = document.querySelector('video') as HTMLVideoElement;
    const keep = (atMs: number, { height }: VideoFrameCallbackMetadata) => {
      page.shown.push({ atMs, height });
      video.requestVideoFrameCallback(keep);
    };
    video.requestVideoFrameCallback(keep);
  });

test.concurrent.each([
  { name: 'hls.js with low latency', script: 'hls.js/dist/hls.min.js', lowLatency: true },
  { name: 'hls.js as any playlist', script: 'hls.js/dist/hls.min.js', lowLatency: false },
  { name: 'shaka-player as any playlist', script: 'shaka-player', lowLatency: false },
])('viewers of a rendition that is left out and returns see a moving picture all the time: $name', async (way) => {
  await using ladder = await startLiveLadder({ ...media, headMs: 7_000, left });
  await using player = await openPlayerPage(browser, way.script);
  const { page } = player;
  const broadcasting = ladder.broadcastTo('108p');
  await watchPictures(page);
  await (way.script === 'shaka-player' ? loadShaka : loadHls)(page, ladder.multivariantUrl, way.lowLatency);
  await waitForHeight(page, 108);
  await broadcasting;
  const { fatal, shown, ended } = await page.evaluate(() => {
    const { fatal, shown } = window as unknown as PlayerWindow;
    return { fatal, shown, ended: document.querySelector('video')?.ended };
  });
  expect({ fatal, ended }).toEqual({ fatal: [], ended: false });
  const holds = shown.slice(1).map(({ atMs }, index) => Math.round(atMs - (shown[index]?.atMs ?? 0)));
  expect(Math.max(...holds)).toBeLessThan(maxHoldMs);
  // It was another rendition for a while: there was nothing else to show.
  expect(new Set(shown.map(({ height }) => height)).size).toBeGreaterThan(1);
  const playlist = readPlaylist(await (await fetch(ladder.mediaUrl('108p'))).text());
  expect(playlist.segments.filter(({ gap }) => gap).map(({ msn }) => msn)).toEqual([10, 11, 12, 13]);
  expect(await (await fetch(ladder.multivariantUrl)).text()).toContain('108p/index.m3u8');
});
