import type { Page } from 'playwright-core';

/** What the page records about its video. */
interface WatchedWindow {
  /** When each picture was shown, on the page's clock. */
  shownAtMs: number[];
  /** How often the video got new media, as it does when its player is replaced. */
  replacements: number;
}

/** Starts recording when the page's video shows each picture, and how often it gets new media. */
export const watchPictures = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watched = window as unknown as WatchedWindow;
    watched.shownAtMs = [];
    watched.replacements = 0;
    const video = document.querySelector('video') as HTMLVideoElement;
    video.addEventListener('emptied', () => {
      watched.replacements += 1;
    });
    const keep = (atMs: number) => {
      watched.shownAtMs.push(atMs);
      video.requestVideoFrameCallback(keep);
    };
    video.requestVideoFrameCallback(keep);
  });

/** The longest time that a picture stayed since {@link watchPictures}, in milliseconds, and how often the video got new media. */
export const readWatched = (page: Page): Promise<{ longestHoldMs: number; replacements: number }> =>
  page.evaluate(() => {
    const { shownAtMs, replacements } = window as unknown as WatchedWindow;
    const holdsMs = [...shownAtMs.slice(1), performance.now()].map((atMs, index) =>
      Math.round(atMs - (shownAtMs[index] as number)),
    );
    return { longestHoldMs: Math.max(...holdsMs), replacements };
  });
