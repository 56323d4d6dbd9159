import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { createLadderStream, playableProfiles } from '../support/ladder-stream.ts';
import { openPlayerPage, type PlayerLog, playOn, waitForEnd, waitForHeight, watchOn } from '../support/player-page.ts';
import { startTestService } from '../support/test-service.ts';

/** What the page records about its player. */
interface PlayerWindow extends PlayerLog {
  Hls: typeof Hls;
  hls: Hls;
  fatal: string[];
}

let browser: Browser;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  [browser, service] = await Promise.all([launchChromium(), startTestService()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), service.close()]);
});

async function load(page: Page, url: string, lowLatencyMode: boolean): Promise<void> {
  await page.evaluate(
    ([source, lowLatency]) => {
      const page = window as unknown as PlayerWindow;
      const video = document.querySelector('video') as HTMLVideoElement;
      page.fatal = [];
      page.hls = new page.Hls({ lowLatencyMode: lowLatency, debug: page.logger });
      page.hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
        if (fatal) page.fatal.push(details);
      });
      page.hls.loadSource(source);
      page.hls.attachMedia(video);
      void video.play();
    },
    [url, lowLatencyMode] as const,
  );
}

/** Makes the player switch to the rendition of this height at the next segment. */
const choose = (page: Page, height: number) =>
  page.evaluate((wanted) => {
    const { hls } = window as unknown as PlayerWindow;
    const level = hls.levels.findIndex((one) => one.height === wanted);
    if (level < 0) throw new Error(`There is no level of ${wanted} lines.`);
    hls.nextLevel = level;
  }, height);

const readBuffered = (page: Page) =>
  page.evaluate(() => {
    const { buffered } = document.querySelector('video') as HTMLVideoElement;
    return Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
  });

/** What a player has shown by the end. */
const readEnd = (page: Page) =>
  page.evaluate(() => {
    const { currentTime, duration, videoHeight } = document.querySelector('video') as HTMLVideoElement;
    const { fatal, hls } = window as unknown as PlayerWindow;
    const heights = hls.levels.map(({ height }) => height);
    return { fatal, heights, isAtEnd: currentTime === duration, height: videoHeight };
  });

test('hls.js plays every rendition on request, and to the very end of a broadcast that stops, with and without low latency', async () => {
  const stream = await createLadderStream(service, 'Ladder', playableProfiles);
  await using publisher = startFfmpegPublisher(stream.publishUrl);
  await stream.complete();
  await using stack = new AsyncDisposableStack();
  const play = async (url: string, lowLatencyMode: boolean) => {
    const { page } = stack.use(await openPlayerPage(browser, 'hls.js/dist/hls.min.js'));
    await load(page, url, lowLatencyMode);
    await playOn(page, 1);
    return page;
  };
  const [ladder, source, rendition] = await Promise.all([
    play(stream.multivariantUrl, false).then(async (page) => {
      for (const height of [180, 128, 144]) {
        await choose(page, height);
        await waitForHeight(page, height);
        await watchOn(page, 20);
        expect(await readBuffered(page)).toHaveLength(1);
      }
      return page;
    }),
    play(stream.mediaUrl('source'), true),
    play(stream.mediaUrl('144p'), true),
  ]);
  await publisher.quit();
  const players = [ladder, source, rendition];
  await Promise.all(players.map(waitForEnd));
  expect(await Promise.all(players.map(readEnd))).toEqual([
    { fatal: [], heights: [128, 144, 180], isAtEnd: true, height: 144 },
    { fatal: [], heights: expect.any(Array), isAtEnd: true, height: 180 },
    { fatal: [], heights: expect.any(Array), isAtEnd: true, height: 144 },
  ]);
  // Without a gap.
  const duration = await ladder.evaluate(() => document.querySelector('video')?.duration);
  expect(await readBuffered(ladder)).toEqual([[expect.any(Number), duration]]);
});
