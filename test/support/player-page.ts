import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, errors, type Page } from 'playwright-core';

const html = '<!doctype html><title>Player</title><video muted playsinline width="160"></video>';

/**
 * A page with a video and a player's script, an npm module; its origin differs from the stream's, as
 * on any site.
 */
export async function openPlayerPage(browser: Browser, script: string): Promise<{ page: Page } & AsyncDisposable> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const page = await browser.newPage({ viewport: { width: 320, height: 180 } });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.addScriptTag({ path: fileURLToPath(import.meta.resolve(script)) });
  await page.evaluate(startPlayerLog);
  // A page keeps the first 250 by default, but the last ones explain a failure.
  await page.evaluate(() => performance.setResourceTimingBufferSize(5_000));
  const close = async () => {
    await page.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { page, [Symbol.asyncDispose]: close };
}

/** A page's copy of its player's log: hls.js takes `logger` as its `debug`. */
export interface PlayerLog {
  logger: Record<'trace' | 'debug' | 'log' | 'info' | 'warn' | 'error', (...words: unknown[]) => void>;
  logLines: string[];
}

function startPlayerLog() {
  const page = window as unknown as PlayerLog;
  page.logLines = [];
  const write = (...words: unknown[]) => {
    page.logLines.push(`${Math.round(performance.now())} ${words.map(String).join(' ')}`);
    if (page.logLines.length > 200) page.logLines.shift();
  };
  page.logger = { trace: write, debug: write, log: write, info: write, warn: write, error: write };
}

/** A player that hasn't reached the end of a broadcast this long after it never will. */
export const endPatienceMs = 45_000;

/** Waits until the video has ended; fails with the media played, the requests and the log. */
export const waitForEnd = (page: Page): Promise<void> =>
  orTellStory(
    page,
    'The video has not ended.',
    page.waitForFunction(() => document.querySelector('video')?.ended, undefined, { timeout: endPatienceMs }),
  );

/** Waits for a state of a page's player; after the timeout, fails with the media played, the requests and the log. */
export async function orTellStory(page: Page, failure: string, waiting: Promise<unknown>): Promise<void> {
  try {
    await waiting;
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    const story = await page.evaluate(() => {
      const { currentTime, duration, paused, readyState, videoHeight, buffered } = document.querySelector(
        'video',
      ) as HTMLVideoElement;
      const ranges = Array.from({ length: buffered.length }, (_, index) => `${buffered.start(index)}-${buffered.end(index)}`);
      const nowMs = Math.round(performance.now());
      const requests = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .slice(-20)
        .map(
          ({ name, startTime, responseEnd, responseStatus }) =>
            `${Math.round(startTime)} to ${Math.round(responseEnd)}: ${responseStatus} ${name}`,
        );
      const lines = (window as unknown as PlayerLog).logLines.slice(-80);
      const facts = JSON.stringify({ nowMs, currentTime, duration, paused, readyState, videoHeight, ranges });
      return [facts, 'Answered requests:', ...requests, 'Log:', ...lines].join('\n');
    });
    throw new Error(`${failure}\n${story}`);
  }
}

/** The playback of a video element so far. */
export interface Played {
  currentTime: number;
  height: number;
  frames: number;
  /** Bytes of audio decoded, as counted by Chromium. */
  soundBytes: number;
  ended: boolean;
}

/** The playback of the page's video so far. */
export const readPlayed = (page: Page): Promise<Played> =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    currentTime: video.currentTime,
    height: video.videoHeight,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    soundBytes: (video as unknown as { webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount,
    ended: video.ended,
  }));

/** Waits until the video is past this time, in seconds. */
export const waitUntilPlayed = (page: Page, seconds: number): Promise<void> =>
  orTellStory(
    page,
    `The video has not got past ${seconds} s.`,
    page.waitForFunction((until) => (document.querySelector('video')?.currentTime ?? 0) > until, seconds),
  );

/** Waits until the video has the media up to this time, in seconds. */
export const waitUntilBuffered = (page: Page, seconds: number): Promise<void> =>
  orTellStory(
    page,
    `The video does not have the media up to ${seconds} s.`,
    page.waitForFunction((until) => {
      const { buffered } = document.querySelector('video') as HTMLVideoElement;
      return buffered.length > 0 && buffered.end(buffered.length - 1) >= until;
    }, seconds),
  );

/** Waits until the video has advanced by this many seconds, and returns how many pictures it showed. */
export async function playOn(page: Page, seconds: number): Promise<number> {
  const before = await readPlayed(page);
  await waitUntilPlayed(page, before.currentTime + seconds);
  return (await readPlayed(page)).frames - before.frames;
}

/** Waits until the video has this height, in pixels. */
export const waitForHeight = (page: Page, height: number): Promise<void> =>
  orTellStory(
    page,
    `The video's height is not ${height}.`,
    page.waitForFunction((wanted) => document.querySelector('video')?.videoHeight === wanted, height),
  );

/** Waits until the video has shown this many more pictures, and played audio. */
export async function watchOn(page: Page, pictures: number): Promise<void> {
  const { frames, soundBytes } = await readPlayed(page);
  const waiting = page.waitForFunction(
    ([shown, heard]) => {
      const video = document.querySelector('video') as HTMLVideoElement & { webkitAudioDecodedByteCount: number };
      return video.getVideoPlaybackQuality().totalVideoFrames >= shown && video.webkitAudioDecodedByteCount > heard;
    },
    [frames + pictures, soundBytes] as const,
  );
  await orTellStory(page, `The video has not shown ${pictures} more pictures, with sound.`, waiting);
}
