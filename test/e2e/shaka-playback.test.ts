import type { Browser, Page } from 'playwright-core';
import type shaka from 'shaka-player';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { countMovedDates } from '../support/dated-segments.ts';
import { feedInRealTime } from '../support/feed-in-real-time.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createLadderStream, playableProfiles } from '../support/ladder-stream.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import {
  openPlayerPage,
  playOn,
  readPlayed,
  waitForEnd,
  waitForHeight,
  waitUntilBuffered,
  watchOn,
} from '../support/player-page.ts';
import { playEveryPart } from '../support/shaka-settings.ts';
import { makeSource } from '../support/synthetic-source.ts';
import { startTestService } from '../support/test-service.ts';

/** What the page records about its player. */
interface PlayerWindow {
  shaka: typeof shaka;
  player: shaka.Player;
  /** Every error that the player reported. */
  problems: string[];
}

const seconds = 12;
/** How much media there is before playback starts. */
const headMs = 8_000;

let browser: Browser;
let tags: FlvTag[];
let service: Awaited<ReturnType<typeof startTestService>>;
let stream: Awaited<ReturnType<typeof createLadderStream>>;
let publisher: ReturnType<typeof startFfmpegPublisher>;
beforeAll(async () => {
  [browser, service, tags] = await Promise.all([
    launchChromium(),
    startTestService(),
    makeSource({ seconds, rate: '30', gopFrames: 30, x264: ['-bf', '2'] }),
  ]);
  stream = await createLadderStream(service, 'Ladder', playableProfiles);
  publisher = startFfmpegPublisher(stream.publishUrl, { rate: 30 });
  await stream.complete();
  // Before that, shaka-player's search for captions mistakes the open segment for a complete one.
  await stream.watch(({ session }) => (session?.sourceSegments ?? 0) >= 6);
});
afterAll(async () => {
  await publisher.kill();
  await Promise.all([browser.close(), service.close()]);
});

/** Loads a stream and plays it, without adaptive bitrate. */
async function load(page: Page, url: string, lowLatencyMode: boolean): Promise<void> {
  await page.evaluate(
    async ([source, lowLatency, hls]) => {
      const page = window as unknown as PlayerWindow;
      page.problems = [];
      page.player = new page.shaka.Player();
      page.player.addEventListener('error', (event) => {
        const { detail } = event as unknown as { detail: shaka.util.Error };
        // It also reports what it recovers from, as when a playlist is updated just as it plays another rendition.
        if (detail.severity === page.shaka.util.Error.Severity.CRITICAL) page.problems.push(JSON.stringify(detail));
      });
      await page.player.attach(document.querySelector('video') as HTMLVideoElement);
      page.player.configure({
        // shaka-player keeps the window that the playlist has when it is loaded, which is still short: a player that stalls for longer
        // than that, on a busy computer, would fall out of it.
        manifest: { availabilityWindowOverride: 60, ...(lowLatency && { hls }) },
        streaming: { lowLatencyMode: lowLatency },
        abr: { enabled: false },
      });
      await page.player.load(source);
      await document.querySelector('video')?.play();
    },
    [url, lowLatencyMode, playEveryPart] as const,
  );
}

const listHeights = (page: Page) =>
  page.evaluate(() => (window as unknown as PlayerWindow).player.getVariantTracks().map(({ height }) => height));

async function choose(page: Page, height: number): Promise<void> {
  await page.evaluate((wanted) => {
    const { player } = window as unknown as PlayerWindow;
    const track = player.getVariantTracks().find((one) => one.height === wanted);
    if (track === undefined) throw new Error(`There is no variant of ${wanted} lines.`);
    player.selectVariantTrack(track, true);
  }, height);
}

/** Seeks to this long after the start of the window, and returns how far back that was, in seconds. */
const rewind = (page: Page, seconds: number) =>
  page.evaluate((after) => {
    const video = document.querySelector('video') as HTMLVideoElement;
    const from = video.currentTime;
    video.currentTime = (window as unknown as PlayerWindow).player.seekRange().start + after;
    return from - video.currentTime;
  }, seconds);

/** The errors that the player reported, and how many gaps it jumped. */
const readTroubles = (page: Page) =>
  page.evaluate(() => {
    const { player, problems } = window as unknown as PlayerWindow;
    return { problems, gapsJumped: player.getStats().gapsJumped };
  });

const modes = [
  ['without low latency', false],
  ['with low latency', true],
] as const;

test.concurrent.each(modes)('shaka-player plays every rendition on request, and rewinds, %s', async (_name, lowLatency) => {
  await using player = await openPlayerPage(browser, 'shaka-player');
  const { page } = player;
  await load(page, stream.multivariantUrl, lowLatency);
  expect((await listHeights(page)).toSorted()).toEqual([128, 144, 180]);
  const heights = [180, 128, 144];
  for (const height of heights) {
    await choose(page, height);
    await waitForHeight(page, height);
    await watchOn(page, 20);
  }
  await playOn(page, 2);
  const before = await readTroubles(page);
  const pictures = await playOn(page, 2);
  const after = await readTroubles(page);
  const moved = await countMovedDates(stream.mediaUrl('source'));
  expect(after.problems).toEqual([]);
  expect(after.gapsJumped - before.gapsJumped).toBeLessThanOrEqual(moved);
  if (after.gapsJumped === before.gapsJumped) expect(pictures).toBeGreaterThan(50);
  // With low latency, shaka-player drops parts up to the next keyframe when it joins or switches. Without, its buffer may have a hole
  // after a switch on a busy computer, which clears it.
  if (!lowLatency) expect(before.gapsJumped).toBeLessThanOrEqual(heights.length + moved);
  expect(await rewind(page, 0.5)).toBeGreaterThan(3);
  await watchOn(page, 20);
  expect((await readTroubles(page)).problems).toEqual([]);
});

test.concurrent.each(modes)(
  'shaka-player plays the source alone, and ends with the broadcast, %s',
  async (_name, lowLatency) => {
    await using stand = await startPlaybackStand();
    const packager = stand.createPackager({ targetSegmentSeconds: 1 });
    const head = tags.filter(({ timestampMs }) => timestampMs < headMs);
    for (const tag of head) packager.push(tag);
    await using player = await openPlayerPage(browser, 'shaka-player');
    const { page } = player;
    const { push, end } = stand.endingWith(packager);
    const broadcasting = stand
      .mediaAsked('source')
      .then(() => feedInRealTime({ push, end() {} }, tags.slice(head.length), headMs));
    await load(page, stand.multivariantUrl, lowLatency);
    await broadcasting;
    // With low latency, one that is behind never reaches the end (docs/architecture.md). The last part, or segment, comes with the end.
    await waitUntilBuffered(page, seconds - (lowLatency ? 0.2 : 1));
    end();
    await waitForEnd(page);
    const { currentTime, soundBytes, height } = await readPlayed(page);
    expect(currentTime).toBeCloseTo(seconds, 0);
    expect(soundBytes).toBeGreaterThan(0);
    expect(height).toBe(180);
    const { problems, gapsJumped } = await readTroubles(page);
    expect(problems).toEqual([]);
    // With low latency, it may join before the next keyframe.
    expect(gapsJumped).toBeLessThanOrEqual(lowLatency ? 1 : 0);
  },
);
