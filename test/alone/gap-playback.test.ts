import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import type shaka from 'shaka-player';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { mostLeftOutAtEnd } from '../support/left-out-parts.ts';
import { makeLadder, startLiveLadder } from '../support/live-ladder.ts';
import { openPlayerPage, type PlayerLog, waitForEnd, waitForHeight, waitUntilPlayed } from '../support/player-page.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { playEveryPart } from '../support/shaka-settings.ts';

/** What the page records about its player. */
interface PlayerWindow extends PlayerLog {
  Hls: typeof Hls;
  shaka: typeof shaka;
  /** Every error that ended playback. */
  fatal: string[];
}

const seconds = 15;
/** How much media there is before playback starts. It ends in mid-segment: see `startLiveLadder`. */
const headMs = 7_500;
/** Media is missing from mid-segment to the end of the next segment; the segment after that is complete. */
const missing = { fromMs: 9_400, toMs: 11_000 };

let browser: Browser;
let media: Awaited<ReturnType<typeof makeLadder>>;
beforeAll(async () => {
  [browser, media] = await Promise.all([launchChromium(), makeLadder(seconds)]);
});
afterAll(async () => {
  await browser.close();
});

/** The media sequence numbers of the gaps in a rendition. */
async function listGaps(mediaUrl: string): Promise<number[]> {
  const { segments } = readPlaylist(await (await fetch(mediaUrl)).text());
  return segments.flatMap(({ msn, gap }) => (gap ? [msn] : []));
}

/** Plays this rendition. If `pinned`, the player has no other; if not, another may replace it at a gap. */
async function loadHls(page: Page, url: string, lowLatencyMode: boolean, pinned: boolean): Promise<void> {
  await page.evaluate(
    ([source, lowLatency, isPinned]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.fatal = [];
      const hls = new page.Hls({ lowLatencyMode: lowLatency, debug: page.logger });
      hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) page.fatal.push(details);
      });
      hls.on(page.Hls.Events.MANIFEST_PARSED, () => {
        const level = hls.levels.findIndex(({ height }) => height === 108);
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

/** Plays this rendition. If `pinned`, no other is allowed; if not, another may replace it at a gap. */
async function loadShaka(page: Page, url: string, lowLatencyMode: boolean, pinned: boolean): Promise<void> {
  await page.evaluate(
    async ([source, lowLatency, isPinned, hls]) => {
      const page = window as unknown as PlayerWindow;
      page.fatal = [];
      const player = new page.shaka.Player();
      player.addEventListener('error', (event) => {
        const { detail } = event as unknown as { detail: shaka.util.Error };
        // It also reports what it recovers from: that it reaches the gap before the segment after it is complete, and plays another
        // rendition, or tries again if the others are at the gap as well, or that a playlist was updated just then.
        const { Code, Severity } = page.shaka.util.Error;
        if (detail.code === Code.SEGMENT_MISSING && !isPinned) return;
        if (detail.severity === Severity.CRITICAL) page.fatal.push(JSON.stringify(detail));
      });
      const video = document.querySelector('video') as HTMLVideoElement;
      await player.attach(video);
      const restrictions = { maxHeight: 120 };
      player.configure({
        streaming: { lowLatencyMode: lowLatency },
        ...(lowLatency && { manifest: { hls } }),
        ...(isPinned ? { restrictions } : { abr: { restrictions } }),
      });
      await player.load(source);
      await video.play();
    },
    [url, lowLatencyMode, pinned, playEveryPart] as const,
  );
}

const readEnd = (page: Page) =>
  page.evaluate(() => {
    const { fatal } = window as unknown as PlayerWindow;
    const { currentTime, duration } = document.querySelector('video') as HTMLVideoElement;
    return { fatal, currentTime, duration };
  });

/** With no other rendition, shaka-player fails unless the segment after the gap is complete when it gets there. */
const ways = [
  {
    name: 'hls.js without low latency, with no other rendition',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: false,
    pinned: true,
  },
  {
    name: 'hls.js with low latency, with no other rendition',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: true,
    pinned: true,
  },
  {
    name: 'hls.js without low latency, with other renditions',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: false,
    pinned: false,
  },
  {
    name: 'hls.js with low latency, with other renditions',
    script: 'hls.js/dist/hls.min.js',
    lowLatency: true,
    pinned: false,
  },
  {
    name: 'shaka-player without low latency, with other renditions',
    script: 'shaka-player',
    lowLatency: false,
    pinned: false,
  },
];

async function playToEnd({ script, lowLatency, pinned }: (typeof ways)[number]): Promise<void> {
  await using ladder = await startLiveLadder({ ...media, headMs, missing });
  await using player = await openPlayerPage(browser, script);
  const { page } = player;
  const broadcasting = ladder.broadcastToTheEnd('108p');
  if (script === 'shaka-player') await loadShaka(page, ladder.multivariantUrl, lowLatency, pinned);
  else await loadHls(page, ladder.multivariantUrl, lowLatency, pinned);
  await waitForHeight(page, 108);
  await broadcasting;
  expect(await listGaps(ladder.mediaUrl('108p'))).toEqual([9, 10]);
  await waitForEnd(page);
  const { fatal, currentTime, duration } = await readEnd(page);
  expect(fatal).toEqual([]);
  expect(currentTime).toBe(duration);
  expect(seconds - duration).toBeGreaterThan(-0.25);
  expect(seconds - duration).toBeLessThan(mostLeftOutAtEnd({ script, lowLatencyMode: lowLatency }, 1));
}

const title = 'players skip a gap in a rendition and play to the end: $name';
test.concurrent.each(ways.filter(({ script }) => script !== 'shaka-player'))(title, playToEnd);
// One at a time: shaka-player fails if it reaches a gap before the segment after it is complete.
test.each(ways.filter(({ script }) => script === 'shaka-player'))(title, playToEnd);

/** shaka-player with low latency misses parts that appear with the end of the playlist (docs/architecture.md). */
test.each([
  ['with no other rendition', true],
  ['with other renditions', false],
])('shaka-player with low latency skips a gap and plays almost to the end, %s', async (_name, pinned) => {
  await using ladder = await startLiveLadder({ ...media, headMs, missing });
  await using player = await openPlayerPage(browser, 'shaka-player');
  const { page } = player;
  const broadcasting = ladder.broadcastTo('108p');
  await loadShaka(page, ladder.multivariantUrl, true, pinned);
  await waitForHeight(page, 108);
  await broadcasting;
  expect(await listGaps(ladder.mediaUrl('108p'))).toEqual([9, 10]);
  await waitUntilPlayed(page, seconds - 0.5);
  expect((await readEnd(page)).fatal).toEqual([]);
});
