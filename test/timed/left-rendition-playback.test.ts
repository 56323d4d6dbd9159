import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import type shaka from 'shaka-player';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type LiveLadderMedia, makeLadder, startLiveLadder } from '../support/live-ladder.ts';
import { openPlayerPage, waitForHeight, waitUntilPlayed } from '../support/player-page.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { longestHoldMs, readPictures, watchPictures } from '../support/watched-pictures.ts';

/** What the page records about its player. */
interface PlayerWindow {
  Hls: typeof Hls;
  shaka: typeof shaka;
  /** Every error that ended playback. */
  fatal: string[];
}

const seconds = 19;
/** How much media there is before playback starts. It ends in mid-segment: see `startLiveLadder`. */
const headMs = 7_500;
const left = { fromMs: 10_000, toMs: 14_000 };
/** No picture may stay longer than this. */
const maxHoldMs = 2_000;

let browser: Browser;
let media: Awaited<ReturnType<typeof makeLadder>>;
beforeAll(async () => {
  [browser, media] = await Promise.all([launchChromium(), makeLadder(seconds)]);
});
afterAll(async () => {
  await browser.close();
});

interface HlsOptions {
  lowLatency: boolean;
  takes: 'always the lightest' | 'the second at most';
}

/** Chooses by bandwidth: always the lightest rendition, or any up to the second. */
const loadHls = (page: Page, url: string, options: HlsOptions) =>
  page.evaluate(
    ([source, { lowLatency, takes }]) => {
      const { Hls, fatal } = window as unknown as PlayerWindow;
      const lightest = { abrBandWidthFactor: 1e-9, abrBandWidthUpFactor: 1e-9, abrEwmaDefaultEstimate: 1 };
      const maxLevel = takes === 'always the lightest' ? 0 : 1;
      const hls = new Hls({
        lowLatencyMode: lowLatency,
        testBandwidth: false,
        startLevel: maxLevel,
        ...(maxLevel === 0 && lightest),
      });
      if (maxLevel > 0) hls.on(Hls.Events.MANIFEST_PARSED, () => (hls.autoLevelCapping = maxLevel));
      hls.on(Hls.Events.ERROR, (_event, { details, fatal: isFatal }) => {
        if (isFatal) fatal.push(details);
      });
      hls.loadSource(source);
      const video = document.querySelector('video') as HTMLVideoElement;
      hls.attachMedia(video);
      void video.play();
    },
    [url, options] as const,
  );

/** Plays the lightest rendition as long as it has no gap. */
const loadShaka = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    async ([source, lowLatency]) => {
      const { shaka, fatal } = window as unknown as PlayerWindow;
      const player = new shaka.Player();
      player.addEventListener('error', (event) => {
        const { detail } = event as unknown as { detail: shaka.util.Error };
        // It also reports what it recovers from, as when a playlist is updated just as it plays another rendition.
        if (detail.severity === shaka.util.Error.Severity.CRITICAL) fatal.push(JSON.stringify(detail));
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

/** Starts recording errors that end playback. */
const watchErrors = (page: Page) =>
  page.evaluate(() => {
    (window as unknown as PlayerWindow).fatal = [];
  });

const hlsJs = 'hls.js/dist/hls.min.js';
const lightest = { takes: 'always the lightest', segmentSeconds: 1, left, gaps: [10, 11, 12, 13] } as const;
const second = { takes: 'the second at most', segmentSeconds: 2, lowLatency: true } as const;

const ways = [
  { name: 'hls.js with low latency', script: hlsJs, lowLatency: true, ...lightest },
  { name: 'hls.js without low latency', script: hlsJs, lowLatency: false, ...lightest },
  { name: 'shaka-player without low latency', script: 'shaka-player', lowLatency: false, ...lightest },
  // Segments begin at 9 s, 11 s, 13 s and 15 s.
  {
    name: 'hls.js with low latency, segments of 2 s, dropped between two keyframes',
    script: hlsJs,
    left: { fromMs: 9_950, toMs: 14_000 },
    gaps: [5, 6, 7],
    ...second,
  },
  {
    name: 'hls.js with low latency, segments of 2 s, dropped at a keyframe in mid-segment',
    script: hlsJs,
    left,
    gaps: [5, 6, 7],
    ...second,
  },
  {
    name: 'hls.js with low latency, segments of 2 s, dropped between two segments',
    script: hlsJs,
    left: { fromMs: 11_000, toMs: 14_000 },
    gaps: [6, 7],
    ...second,
  },
];

async function alwaysMoves(way: (typeof ways)[number]): Promise<void> {
  const { takes, lowLatency, script, segmentSeconds } = way;
  const height = takes === 'always the lightest' ? 108 : 144;
  const name = `${height}p`;
  const { [name]: leaving = [], ...others } = media.renditions as LiveLadderMedia['renditions'];
  const ladderMedia = { source: media.source, renditions: { ...others, [name]: leaving }, segmentSeconds };
  await using ladder = await startLiveLadder({ ...ladderMedia, headMs, left: way.left });
  await using player = await openPlayerPage(browser, script);
  const { page } = player;
  const broadcasting = ladder.broadcastTo(name);
  await Promise.all([watchErrors(page), watchPictures(page)]);
  if (script === 'shaka-player') await loadShaka(page, ladder.multivariantUrl, lowLatency);
  else await loadHls(page, ladder.multivariantUrl, { lowLatency, takes });
  await waitForHeight(page, height);
  await broadcasting;
  // What it has loaded plays on.
  await waitUntilPlayed(page, way.left.toMs / 1000);
  const { fatal, ended, currentTime } = await page.evaluate(() => {
    const { fatal } = window as unknown as PlayerWindow;
    const { ended, currentTime } = document.querySelector('video') as HTMLVideoElement;
    return { fatal, ended, currentTime };
  });
  const pictures = await readPictures(page);
  expect({ fatal, ended }).toEqual({ fatal: [], ended: false });
  // It has played on past the rendition's return, however late it began.
  expect(currentTime).toBeGreaterThan(way.left.toMs / 1000);
  expect(longestHoldMs(pictures)).toBeLessThan(maxHoldMs);
  // Another rendition was shown for a while, since this one had nothing to show.
  expect(new Set(pictures.map(({ height }) => height)).size).toBeGreaterThan(1);
  const playlist = readPlaylist(await (await fetch(ladder.mediaUrl(name))).text());
  expect(playlist.segments.filter(({ gap }) => gap).map(({ msn }) => msn)).toEqual(way.gaps);
  expect(await (await fetch(ladder.multivariantUrl)).text()).toContain(`${name}/index.m3u8`);
}

// Two players at a time: more of them hold each other's pictures.
describe.each([0, 2, 4])('two at a time, from way %i on', (first) => {
  test.concurrent.each(ways.slice(first, first + 2))(
    'viewers of a rendition that is dropped and returns always see a moving picture: $name',
    alwaysMoves,
  );
});
