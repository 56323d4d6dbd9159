import type Hls from 'hls.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { launchChromium } from '../support/chromium.ts';
import { sendAudioLate } from '../support/late-audio.ts';
import { startPlaybackStand } from '../support/playback-stand.ts';
import { openPlayerPage, orTellStory, type PlayerLog, waitUntilPlayed } from '../support/player-page.ts';
import { broadcastOncePlayed } from '../support/recording-player.ts';
import { makeSource } from '../support/synthetic-source.ts';

/** The most media that there is: a broadcast lasts until its page was busy often enough. */
const seconds = 40;
const headMs = 4_100;
/** Until then the playlist lists the last part, and its segment as whole. */
const busyMs = 230;

interface BusyWindow extends PlayerLog {
  Hls: typeof Hls;
  /** How often the page was busy. */
  times: number;
}

interface Course {
  frames: string;
  x264: string[];
  /** When the page is busy. */
  busyAt: 'FRAG_LOADING' | 'FRAG_LOADED';
  /** The index of the part before the last. */
  busyPart: number;
  change: ((tags: readonly FlvTag[]) => FlvTag[]) | undefined;
}

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(async () => {
  await browser.close();
});

/** From its third second on, no frame comes in the last 0.18 s of each, and the next keyframe 20 ms late: segments have a sixth, short part. */
function delayKeyframes(tags: readonly FlvTag[]): FlvTag[] {
  const sent = tags.flatMap((tag) => {
    const second = Math.floor(tag.timestampMs / 1000);
    if (tag.kind !== 'video' || second < 2) return [tag];
    return tag.timestampMs % 1000 < 820 ? [{ ...tag, timestampMs: tag.timestampMs + (second - 2) * 20 }] : [];
  });
  // Its last audio comes after the next segment has begun.
  return sendAudioLate(sent, 60);
}

it.concurrent.each<Course>([
  { frames: 'without B-frames', x264: ['-bf', '0'], busyAt: 'FRAG_LOADING', busyPart: 3, change: undefined },
  { frames: 'with B-frames', x264: ['-bf', '2'], busyAt: 'FRAG_LOADING', busyPart: 3, change: undefined },
  { frames: 'with a short last part', x264: ['-bf', '0'], busyAt: 'FRAG_LOADED', busyPart: 4, change: delayKeyframes },
])(
  'hls.js leaves no part out on a page that is busy whenever a segment ends, $frames',
  async ({ x264, busyAt, busyPart, change }) => {
    const made = await makeSource({ seconds, rate: '30', gopFrames: 30, x264 });
    const tags = change?.(made) ?? made;
    await using stand = await startPlaybackStand();
    await using player = await openPlayerPage(browser, 'hls.js/dist/hls.min.js');
    const { page } = player;
    let endMs: number | undefined;
    let isOver = false;
    const broadcasting = broadcastOncePlayed(stand, {
      tags,
      headMs,
      targetSegmentSeconds: 1,
      isOver: ({ timestampMs }) => {
        endMs = timestampMs;
        return isOver;
      },
    });
    await page.evaluate(
      ([url, busyAt, busyPart, busyMs]) => {
        const page = window as unknown as BusyWindow;
        const video = document.querySelector('video') as HTMLVideoElement;
        const hls = new page.Hls({ debug: page.logger });
        page.times = 0;
        const beBusy = () => {
          const untilMs = performance.now() + busyMs;
          while (performance.now() < untilMs);
        };
        const { FRAG_LOADING, FRAG_LOADED } = page.Hls.Events;
        const isBusyAt = (event: string, part: { index: number } | null | undefined) => {
          if (event !== page.Hls.Events[busyAt] || part?.index !== busyPart) return false;
          page.times += 1;
          return true;
        };
        // After the request has left.
        hls.on(FRAG_LOADING, (event, { part }) => isBusyAt(event, part) && setTimeout(beBusy));
        // Before hls.js appends what has come.
        hls.on(FRAG_LOADED, (event, { part }) => isBusyAt(event, part) && beBusy());
        hls.loadSource(url);
        hls.attachMedia(video);
        // hls.js loads parts only close to the live edge, and would stay behind once late.
        video.addEventListener('timeupdate', () => {
          const { buffered, currentTime } = video;
          const aheadSeconds = buffered.length === 0 ? 0 : buffered.end(buffered.length - 1) - currentTime;
          video.playbackRate = aheadSeconds > 1.2 ? 2 : 1;
        });
        void video.play();
      },
      [stand.multivariantUrl, busyAt, busyPart, busyMs] as const,
    );
    // On a busy computer, hls.js loads some segments whole.
    await orTellStory(
      page,
      'The page has not been busy often enough.',
      page.waitForFunction(() => (window as unknown as BusyWindow).times > 3),
    );
    isOver = true;
    await broadcasting;
    // How it ends is another story.
    await waitUntilPlayed(page, (endMs ?? Number.NaN) / 1000 - 1.5);
    const { times, ranges } = await page.evaluate(() => {
      const { buffered } = document.querySelector('video') as HTMLVideoElement;
      return { times: (window as unknown as BusyWindow).times, ranges: buffered.length };
    });
    expect(ranges).toBe(1);
    expect(times).toBeGreaterThan(3);
  },
);
