import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import type shaka from 'shaka-player';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/media/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { createLadderFeed } from '../support/ladder-feed.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, waitForHeight } from '../support/player-page.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { makeSource } from '../support/synthetic-source.ts';

/** What the page keeps of its player. */
interface PlayerWindow {
  Hls: typeof Hls;
  shaka: typeof shaka;
  /** Every error that ended playback. */
  fatal: string[];
}

/** The encoders break off in mid-segment, a whole segment is missing after it, and the next has all. */
const missing = { fromMs: 9_400, toMs: 11_000 };
const seconds = 15;

let browser: Browser;
let source: FlvTag[];
let renditions: FlvTag[][];
beforeAll(async () => {
  const encode = (size: string) => makeSource({ seconds, size, rate: '30', gopFrames: 30 });
  [browser, source, ...renditions] = await Promise.all([
    launchChromium(),
    encode('320x180'),
    encode('256x144'),
    encode('228x128'),
  ]);
});
afterAll(async () => {
  await browser.close();
});

/** Seven seconds are there, and the rest comes as it would. */
async function startGapStand() {
  const stand = await startPlaybackStand({ renditionNames: ['144p', '128p'] });
  const feed = createLadderFeed(stand, { renditions, missing });
  const head = source.filter(({ timestampMs }) => timestampMs < 7_000);
  for (const tag of head) feed.push(tag);
  return {
    multivariantUrl: stand.multivariantUrl,
    broadcast: () => feedInRealTime(feed, source.slice(head.length), 7_000),
    end: () => stand.end(),
    /** The numbers of the segments that the rendition does not have. */
    gaps: async () => {
      const text = await (await fetch(new URL('128p/index.m3u8', stand.multivariantUrl))).text();
      return readPlaylist(text).segments.flatMap(({ msn, gap }) => (gap ? [msn] : []));
    },
    [Symbol.asyncDispose]: () => stand[Symbol.asyncDispose](),
  };
}

/** Plays the rendition: `pinned`, there is no other; else another may take its place where it has a gap. */
async function loadHls(page: Page, url: string, lowLatencyMode: boolean, pinned: boolean): Promise<void> {
  await page.evaluate(
    ([source, lowLatency, isPinned]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.fatal = [];
      const hls = new page.Hls({ lowLatencyMode: lowLatency });
      hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) page.fatal.push(details);
      });
      hls.on(page.Hls.Events.MANIFEST_PARSED, () => {
        const level = hls.levels.findIndex(({ height }) => height === 128);
        if (!isPinned) hls.currentLevel = level;
        else for (let other = hls.levels.length - 1; other >= 0; other -= 1) if (other !== level) hls.removeLevel(other);
      });
      hls.loadSource(source);
      hls.attachMedia(video);
      void video.play();
    },
    [url, lowLatencyMode, pinned] as const,
  );
}

/** Plays the rendition as long as it has everything. */
async function loadShaka(page: Page, url: string): Promise<void> {
  await page.evaluate(async (source) => {
    const page = window as unknown as PlayerWindow;
    page.fatal = [];
    const player = new page.shaka.Player();
    player.addEventListener('error', (event) => {
      page.fatal.push(JSON.stringify((event as unknown as { detail: unknown }).detail));
    });
    const video = document.querySelector('video') as HTMLVideoElement;
    await player.attach(video);
    player.configure({ streaming: { lowLatencyMode: false }, abr: { restrictions: { maxHeight: 130 } } });
    await player.load(source);
    await video.play();
  }, url);
}

const readEnd = (page: Page) =>
  page.evaluate(() => {
    const { fatal } = window as unknown as PlayerWindow;
    const { currentTime, duration } = document.querySelector('video') as HTMLVideoElement;
    return { fatal, currentTime, duration };
  });

/** shaka-player with low latency drops parts of itself, so that what it makes of a gap cannot be told. */
const ways = [
  {
    name: 'hls.js, where there is no other, as any playlist',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: false,
    pinned: true,
  },
  {
    name: 'hls.js, where there is no other, with low latency',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: true,
    pinned: true,
  },
  {
    name: 'hls.js, where others can take its place, as any playlist',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: false,
    pinned: false,
  },
  {
    name: 'hls.js, where others can take its place, with low latency',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: true,
    pinned: false,
  },
  {
    name: 'shaka-player, where others can take its place, as any playlist',
    script: 'shaka-player',
    lowLatency: false,
    pinned: false,
  },
];

test.each(ways)('a gap in a rendition is played over to the end: $name', async ({ script, lowLatency, pinned }) => {
  await using stand = await startGapStand();
  await using player = await openPlayerPage(browser, script);
  const { page } = player;
  const broadcasting = stand.broadcast();
  if (script === 'shaka-player') await loadShaka(page, stand.multivariantUrl);
  else await loadHls(page, stand.multivariantUrl, lowLatency, pinned);
  await waitForHeight(page, 128);
  await broadcasting;
  expect(await stand.gaps()).toEqual([9, 10]);
  stand.end();
  await page.waitForFunction(() => document.querySelector('video')?.ended);
  const { fatal, currentTime, duration } = await readEnd(page);
  expect(fatal).toEqual([]);
  expect(currentTime).toBe(duration);
  expect(duration).toBeCloseTo(seconds, 0);
});
