import type Hls from 'hls.js';
import type { Browser, Page } from 'playwright-core';
import type shaka from 'shaka-player';
import { endPatienceMs, openPlayerPage, orTellStory, type PlayerLog } from './player-page.ts';

/** An npm player and its settings. */
export interface PlayerWay {
  name: string;
  script: 'hls.js/dist/hls.min.js' | 'shaka-player';
  lowLatencyMode: boolean;
}

/** How Chromium plays our streams to the end; shaka-player in low-latency mode drops parts (`playEveryPart`) and may miss the end. */
export const playerWays: readonly PlayerWay[] = [
  { name: 'hls.js, as any playlist', script: 'hls.js/dist/hls.min.js', lowLatencyMode: false },
  { name: 'hls.js, with low latency', script: 'hls.js/dist/hls.min.js', lowLatencyMode: true },
  { name: 'shaka-player, as any playlist', script: 'shaka-player', lowLatencyMode: false },
];

/** A picture that a video has shown. */
export interface ShownPicture {
  atSeconds: number;
  /** Brightness of its upper left corner, 0 to 255. */
  brightness: number;
  /** How much audio had been decoded by then, as counted by Chromium. */
  soundBytes: number;
}

/** The page's record. */
interface PlayerWindow extends PlayerLog {
  Hls: typeof Hls;
  shaka: typeof shaka;
  shown: ShownPicture[];
  /** The error that ended playback. */
  fatal: string[];
  /** All errors, including those from which the player recovers. */
  errors: string[];
  /** How often the video had nothing to play, after its first second. */
  stalls: number;
}

/** A busy computer is slow to load pages and to play. */
const patienceMs = 60_000;

/** Makes the page record its video's pictures from now on. */
export const watchVideo = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shown: ShownPicture[] = [];
    (window as unknown as PlayerWindow).shown = shown;
    const video = document.querySelector('video') as HTMLVideoElement & { webkitAudioDecodedByteCount: number };
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const keep = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      const [width, height] = [video.videoWidth / 16, video.videoHeight / 16];
      context?.drawImage(video, width, height, width, height, 0, 0, 1, 1);
      const brightness = context?.getImageData(0, 0, 1, 1).data[0] ?? 0;
      shown.push({ atSeconds: mediaTime, brightness, soundBytes: video.webkitAudioDecodedByteCount });
      video.requestVideoFrameCallback(keep);
    };
    video.requestVideoFrameCallback(keep);
  });

/** The record of {@link watchVideo}. */
export const readShown = (page: Page): Promise<ShownPicture[]> =>
  page.evaluate(() => (window as unknown as PlayerWindow).shown);

const startHls = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    ([source, lowLatency]) => {
      const { Hls, fatal, errors, logger } = window as unknown as PlayerWindow;
      const hls = new Hls({ lowLatencyMode: lowLatency, debug: logger });
      hls.on(Hls.Events.ERROR, (_event, { details, fatal: isFatal, error }) => {
        errors.push(`${details}: ${error.message}`);
        if (isFatal) fatal.push(`${details}: ${error.message}`);
      });
      hls.loadSource(source);
      hls.attachMedia(document.querySelector('video') as HTMLVideoElement);
    },
    [url, lowLatencyMode] as const,
  );

const startShaka = (page: Page, url: string, lowLatencyMode: boolean) =>
  page.evaluate(
    async ([source, lowLatency]) => {
      const { shaka, fatal, errors } = window as unknown as PlayerWindow;
      const player = new shaka.Player();
      const tell = ({ severity, code, data }: shaka.util.Error) => {
        errors.push(`${code}: ${data.join()}`);
        if (severity === shaka.util.Error.Severity.CRITICAL) fatal.push(`${code}: ${data.join()}`);
      };
      player.addEventListener('error', (event) => tell((event as unknown as { detail: shaka.util.Error }).detail));
      player.configure({ streaming: { lowLatencyMode: lowLatency }, abr: { enabled: false } });
      await player.attach(document.querySelector('video') as HTMLVideoElement);
      await player.load(source).catch(tell);
    },
    [url, lowLatencyMode] as const,
  );

/** A page with a player that records its pictures. */
export interface WatchedPlayer extends AsyncDisposable {
  way: PlayerWay;
  /** Loads a stream and plays it; resolves when a second of it was shown, or when it failed. */
  play(url: string): Promise<void>;
  /** Resolves when it has played to its end or failed; rejects with the playback so far and the last log lines if it did neither. */
  over(): Promise<void>;
  read(): Promise<{
    fatal: string[];
    errors: string[];
    stalls: number;
    ended: boolean;
    currentTime: number;
    duration: number;
    /** Start and end of each buffered range. */
    buffered: number[][];
    shown: ShownPicture[];
  }>;
}

/** Opens its page. Each has its own profile, since pages of one profile share six connections to a server. */
export async function openWatchedPlayer(browser: Browser, way: PlayerWay): Promise<WatchedPlayer> {
  const { page, [Symbol.asyncDispose]: close } = await openPlayerPage(browser, way.script);
  page.setDefaultTimeout(patienceMs);
  return {
    way,
    async play(url) {
      await page.evaluate(() => {
        Object.assign(window, { fatal: [], errors: [], stalls: 0 });
      });
      await watchVideo(page);
      await (way.script === 'shaka-player' ? startShaka : startHls)(page, url, way.lowLatencyMode);
      await page.evaluate(
        () =>
          void document
            .querySelector('video')
            ?.play()
            .catch(() => {}),
      );
      await page.waitForFunction(() => {
        const { fatal, shown } = window as unknown as PlayerWindow;
        return fatal.length > 0 || (shown.at(-1)?.atSeconds ?? 0) > (shown[0]?.atSeconds ?? 0) + 1;
      });
      await page.evaluate(() => {
        const count = () => {
          (window as unknown as PlayerWindow).stalls += 1;
        };
        document.querySelector('video')?.addEventListener('waiting', count);
      });
    },
    over: () =>
      orTellStory(
        page,
        'The player has neither ended nor failed.',
        page.waitForFunction(
          () => (window as unknown as PlayerWindow).fatal.length > 0 || document.querySelector('video')?.ended,
          undefined,
          { timeout: endPatienceMs },
        ),
      ),
    read: () =>
      page.evaluate(() => {
        const { fatal, errors, stalls, shown } = window as unknown as PlayerWindow;
        const { ended, currentTime, duration, buffered } = document.querySelector('video') as HTMLVideoElement;
        const ranges = Array.from({ length: buffered.length }, (_, index) => [buffered.start(index), buffered.end(index)]);
        return { fatal, errors, stalls, ended, currentTime, duration, buffered: ranges, shown };
      }),
    [Symbol.asyncDispose]: close,
  };
}
