import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import { largePlayer } from '../src/renderer/features/monitor/hls-settings.ts';
import { readPageScript } from '../test/support/page-script.ts';
import { type ClockReadingWindow, clockBits, readClockScript } from '../test/support/picture-clock.ts';

/** Scripts that the page loads besides media, by name. */
const scripts: Record<string, URL> = {
  'hls.js': new URL(import.meta.resolve('hls.js/dist/hls.min.js')),
  'live-edge.ts': new URL('../src/renderer/features/monitor/live-edge.ts', import.meta.url),
  'back-buffer.ts': new URL('../src/renderer/features/monitor/back-buffer.ts', import.meta.url),
};
const types: Record<string, string> = { '.m3u8': 'application/vnd.apple.mpegurl', '.ts': 'video/mp2t' };
const html = `<!doctype html><title>Player</title>
<video muted playsinline width="640"></video><canvas width="${clockBits * 8}" height="8"></canvas><script src="/hls.js"></script>`;

/** A player. */
export interface PlayerKind {
  /** Of hls.js. */
  settings: Record<string, number | boolean>;
  /** The monitor's page also holds the live edge, and keeps this much media behind the playhead. */
  monitor?: { backSeconds: number };
}

/** Tallylight's monitor. */
export const monitorPlayer: PlayerKind = { settings: largePlayer.hls, monitor: largePlayer };
/** hls.js with its defaults, including low latency. */
export const plainPlayer: PlayerKind = { settings: {} };

/** The player's measurements since its start or since `reset`. */
export interface Watched {
  /** Milliseconds from the clock in a frame until that frame is shown, for every readable frame. */
  latenciesMs: number[];
  /** The error of the program date-times in milliseconds, for the same frames; empty without program date-times. */
  claimErrorsMs: number[];
  unreadable: number;
  stalls: number;
  errors: string[];
  /** When the first frame was shown, in Unix milliseconds; undefined before. */
  firstFrameAt: number | undefined;
  /** Height of the current rendition. */
  height: number;
}

interface PlayerWindow extends ClockReadingWindow {
  Hls: typeof Hls;
  hls: Hls;
  watched: Watched;
}

/** Serves the player's page, hls.js, and HLS files from a folder, if given. */
export async function startPageServer(folder?: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const name = basename(new URL(url, 'http://page').pathname);
    const type = types[extname(name)];
    if (name === '') return response.setHeader('content-type', 'text/html').end(html);
    const script = scripts[name];
    if (script !== undefined) return response.setHeader('content-type', 'text/javascript').end(await readPageScript(script));
    const bytes = folder !== undefined && type !== undefined && (await readFile(join(folder, name)).catch(() => undefined));
    if (!bytes) return response.writeHead(404).end();
    return response.setHeader('content-type', type).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Opens a page with hls.js, playing nothing. */
export async function openPlayer(browser: Browser, pageUrl: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(pageUrl);
  return page;
}

/** Plays a URL as soon as it returns 200, polling every 50 ms; resolves at the first frame. */
export async function play(page: Page, url: string, player: PlayerKind): Promise<void> {
  await page.evaluate(readClockScript);
  await page.evaluate(watch, { url, ...player });
  await page.waitForFunction(() => (window as unknown as PlayerWindow).watched.firstFrameAt !== undefined, null, {
    timeout: 60_000,
  });
}

/** Returns the measurements so far and resets them. */
export function takeWatched(page: Page): Promise<Watched> {
  return page.evaluate(() => {
    const window_ = window as unknown as PlayerWindow;
    const { watched, hls } = window_;
    const height = document.querySelector('video')?.videoHeight ?? 0;
    window_.watched = { ...watched, latenciesMs: [], claimErrorsMs: [], unreadable: 0, stalls: 0, errors: [] };
    return { ...watched, height: hls.levels[hls.currentLevel]?.height ?? height };
  });
}

/** Runs in the page. */
async function watch(options: PlayerKind & { url: string }) {
  const page = window as unknown as PlayerWindow;
  const video = document.querySelector('video') as HTMLVideoElement;
  const canvas = document.querySelector('canvas') as HTMLCanvasElement;
  page.watched = {
    latenciesMs: [],
    claimErrorsMs: [],
    unreadable: 0,
    stalls: 0,
    errors: [],
    firstFrameAt: undefined,
    height: 0,
  };
  page.hls = new page.Hls(options.settings);
  if (options.monitor !== undefined) {
    const [liveEdgeUrl, backBufferUrl] = ['/live-edge.ts', '/back-buffer.ts'];
    const { holdLiveEdge }: typeof import('../src/renderer/features/monitor/live-edge.ts') = await import(liveEdgeUrl);
    const { trimBackBuffer }: typeof import('../src/renderer/features/monitor/back-buffer.ts') = await import(backBufferUrl);
    trimBackBuffer(page.hls, video, options.monitor.backSeconds);
    holdLiveEdge(page.hls, video, () => true);
  }
  page.hls.on(page.Hls.Events.ERROR, (_event, { details, fatal }) => {
    page.watched.errors.push(fatal ? `${details} (fatal)` : details);
  });
  page.hls.attachMedia(video);
  const onFrame = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
    const now = Date.now();
    video.requestVideoFrameCallback(onFrame);
    page.watched.firstFrameAt ??= now;
    const time = page.readClock(video, canvas);
    if (time === undefined) page.watched.unreadable += 1;
    else page.watched.latenciesMs.push((now % 2 ** 32) - time);
    const playingDate = page.hls.playingDate?.getTime();
    if (time === undefined || playingDate === undefined) return;
    const shownDate = playingDate + (mediaTime - video.currentTime) * 1000;
    page.watched.claimErrorsMs.push(time - (shownDate % 2 ** 32));
  };
  video.requestVideoFrameCallback(onFrame);
  video.addEventListener('waiting', () => {
    if (page.watched.firstFrameAt !== undefined) page.watched.stalls += 1;
  });
  while ((await fetch(options.url)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  page.hls.loadSource(options.url);
  void video.play();
}
