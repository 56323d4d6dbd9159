import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, type PlayerLog, waitForEnd, waitUntilPlayed } from '../support/player-page.ts';
import { makeSource } from '../support/synthetic-source.ts';

/** What the page records about its player. */
interface PlayerWindow extends PlayerLog {
  Hls: typeof Hls;
  hls: Hls;
  fatal: string[];
  /** The delivery directives of each playlist that it loaded (rfc8216bis §6.2.5), '' for none. */
  directives: Set<string>;
  /** The file names of the media that it loaded. */
  media: string[];
}

const seconds = 12;
/** How much media there is before playback starts: with a keyframe, so that the last segment doesn't end while the player loads it. */
const headMs = 8_100;

let browser: Browser;
let tags: FlvTag[];

beforeAll(async () => {
  [browser, tags] = await Promise.all([launchChromium(), makeSource({ seconds, rate: '30', gopFrames: 30 })]);
});

afterAll(async () => {
  await browser.close();
});

/** Makes the first media available at once, so that a player can start, and the rest in real time once it plays; then ends. */
function broadcast(
  stand: Awaited<ReturnType<typeof startPlaybackStand>>,
  options: { targetSegmentSeconds: number; headMs: number },
): Promise<void> {
  const packager = stand.createPackager({ targetSegmentSeconds: options.targetSegmentSeconds });
  const head = tags.filter(({ timestampMs }) => timestampMs < options.headMs);
  for (const tag of head) packager.push(tag);
  return stand
    .mediaAsked('source')
    .then(() => feedInRealTime(stand.endingWith(packager), tags.slice(head.length), options.headMs));
}

/** Plays with hls.js, and records what it loads. */
const play = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    ([source, lowLatency]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.fatal = [];
      page.directives = new Set();
      page.media = [];
      page.hls = new page.Hls({ lowLatencyMode: lowLatency, debug: page.logger });
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
    [url, lowLatencyMode] as const,
  );

it.concurrent.each([
  {
    name: 'with low latency: part by part, as they are announced, two parts behind the live edge',
    lowLatencyMode: true,
    targetLatencySeconds: 0.4,
  },
  {
    name: 'without low latency: whole segments, three of them behind the live edge',
    lowLatencyMode: false,
    targetLatencySeconds: 3,
  },
])('hls.js plays $name', async ({ lowLatencyMode, targetLatencySeconds }) => {
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;

  const broadcasting = broadcast(stand, { targetSegmentSeconds: 1, headMs });
  await play(page, stand.multivariantUrl, lowLatencyMode);
  await waitUntilPlayed(page, 1);
  const targetLatency = await page.evaluate(() => (window as unknown as PlayerWindow).hls.targetLatency);
  await broadcasting;
  await waitForEnd(page);
  const seen = await page.evaluate(() => {
    const { fatal, directives, media } = window as unknown as PlayerWindow;
    const { duration, currentTime, buffered } = document.querySelector('video') as HTMLVideoElement;
    const ends = Array.from({ length: buffered.length }, (_, index) => buffered.end(index));
    return { fatal, directives: [...directives].sort(), media, isAtEnd: currentTime === duration, ends, duration };
  });
  // Both use blocking reloads; only with low latency does the player load parts. hls.js asks for no delta of a playlist that is old, as on
  // a busy computer.
  const { media, directives, duration, ...rest } = seen;
  const asked = ['', '_HLS_msn,_HLS_part,_HLS_skip'];
  expect(directives.filter((one) => one !== '_HLS_msn,_HLS_part')).toEqual(asked);
  expect({ ...rest, targetLatency, loadsParts: media.some((name) => /^\d+-\d+\.m4s$/.test(name)) }).toEqual({
    fatal: [],
    isAtEnd: true,
    ends: [duration],
    targetLatency: targetLatencySeconds,
    loadsParts: lowLatencyMode,
  });
  // hls.js counts a segment as played that it has only in part, so it may leave out the last parts: of the last second, and those that
  // appear while it is busy.
  const leftOutSeconds = lowLatencyMode ? 1 : 0;
  expect(duration).toBeGreaterThan(seconds - leftOutSeconds - 0.05);
  expect(duration).toBeLessThan(seconds + 0.05);
});

// At 30 fps a frame isn't a whole number of microseconds. At 25 fps it is, and players never had trouble.
it.concurrent('hls.js that joins as a broadcast begins loads each part once, and plays close to the live edge', async () => {
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const { page } = player;
  // The first segment, which is one GOP, and the first part of the second.
  const broadcasting = broadcast(stand, { targetSegmentSeconds: 2, headMs: 1_250 });
  await play(page, stand.multivariantUrl, true);
  // Past the second and third segment.
  await waitUntilPlayed(page, 6);
  const { media, fatal, latency } = await page.evaluate(() => {
    const { media, fatal, hls } = window as unknown as PlayerWindow;
    return { media, fatal, latency: hls.latency };
  });
  expect({ fatal, loadedTwice: media.filter((name, index) => media.indexOf(name) < index) }).toEqual({
    fatal: [],
    loadedTwice: [],
  });
  // A stall would have moved it back by a second.
  expect(latency).toBeLessThan(1.5);
  await broadcasting;
});
