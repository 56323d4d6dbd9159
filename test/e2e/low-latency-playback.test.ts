import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { expectAllButLeftOut } from '../support/left-out-parts.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, waitForEnd, waitUntilPlayed } from '../support/player-page.ts';
import { broadcastOncePlayed, playAndRecord, type RecordingPlayer } from '../support/recording-player.ts';
import { makeSource } from '../support/synthetic-source.ts';

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

  const broadcasting = broadcastOncePlayed(stand, { tags, headMs, targetSegmentSeconds: 1 });
  await playAndRecord(page, stand.multivariantUrl, lowLatencyMode);
  await waitUntilPlayed(page, 1);
  const targetLatency = await page.evaluate(() => {
    const { hls } = window as unknown as RecordingPlayer;
    // Each stall, as on a busy computer, has moved it back by this.
    const { liveSyncOnStallIncrease } = hls.config;
    hls.config.liveSyncOnStallIncrease = 0;
    const { targetLatency } = hls;
    hls.config.liveSyncOnStallIncrease = liveSyncOnStallIncrease;
    return targetLatency;
  });
  await broadcasting;
  await waitForEnd(page);
  const seen = await page.evaluate(() => {
    const { fatal, directives, media } = window as unknown as RecordingPlayer;
    const { duration, currentTime, buffered } = document.querySelector('video') as HTMLVideoElement;
    const ranges = Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)] as const);
    return { fatal, directives: [...directives].sort(), media, isAtEnd: currentTime === duration, ranges, duration };
  });
  // Both use blocking reloads; only with low latency does the player load parts. hls.js asks for no delta of a playlist that is old, as on
  // a busy computer.
  const { media, directives, duration, ranges, ...rest } = seen;
  const asked = ['', '_HLS_msn,_HLS_part,_HLS_skip'];
  expect(directives.filter((one) => one !== '_HLS_msn,_HLS_part')).toEqual(asked);
  expect({ ...rest, targetLatency, loadsParts: media.some((name) => /^\d+-\d+\.m4s$/.test(name)) }).toEqual({
    fatal: [],
    isAtEnd: true,
    targetLatency: targetLatencySeconds,
    loadsParts: lowLatencyMode,
  });
  expectAllButLeftOut(stand, ranges, { segments: seconds, holes: 0 });
  expect(ranges.at(-1)?.[1]).toBe(duration);
  // hls.js counts a segment as played that it has only in part, so it may leave out the last parts: of the last second, and those that
  // appear while it is busy.
  const leftOutSeconds = lowLatencyMode ? 1 : 0;
  expect(duration).toBeGreaterThan(seconds - leftOutSeconds - 0.05);
  expect(duration).toBeLessThan(seconds + 0.05);
});

it('a browser gets the newest playlist for a part that it asks for again, as Video.js does', async () => {
  await using stand = await startPlaybackStand();
  await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
  const packager = stand.createPackager({ targetSegmentSeconds: 1 });
  const ask = () => player.page.evaluate(async (url) => (await fetch(url)).text(), `${stand.mediaUrl}?_HLS_msn=0&_HLS_part=0`);
  // Node's fetch has no cache.
  const readNewest = async () => (await fetch(stand.mediaUrl)).text();

  for (const tag of tags.filter(({ timestampMs }) => timestampMs < headMs)) packager.push(tag);
  const earlier = await ask();
  expect(earlier).toBe(await readNewest());
  for (const tag of tags.filter(({ timestampMs }) => timestampMs >= headMs)) packager.push(tag);
  const newest = await readNewest();
  expect(newest).not.toBe(earlier);
  expect(await ask()).toBe(newest);
});
