import type { Page } from 'playwright-core';

/** A picture that a page's video showed. */
export interface WatchedPicture {
  /** When it was shown, on the page's clock; the browser knows that even if the page was held up. */
  atMs: number;
  /** Its position among all pictures shown, including pictures that a busy page has missed. */
  place: number;
  /** In pixels. */
  height: number;
}

/** The page's record of its video. */
interface WatchedWindow {
  pictures: WatchedPicture[];
  /** How often the video got new media, as it does when its player is replaced. */
  replacements: number;
}

/** Starts recording each picture that the page's video shows, and how often it gets new media. */
export const watchPictures = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watched = window as unknown as WatchedWindow;
    watched.pictures = [];
    watched.replacements = 0;
    const video = document.querySelector('video') as HTMLVideoElement;
    video.addEventListener('emptied', () => {
      watched.replacements += 1;
    });
    const keep = (_: number, { presentationTime, presentedFrames, height }: VideoFrameCallbackMetadata) => {
      watched.pictures.push({ atMs: presentationTime, place: presentedFrames, height });
      video.requestVideoFrameCallback(keep);
    };
    video.requestVideoFrameCallback(keep);
  });

/** The pictures since {@link watchPictures}. */
export const readPictures = (page: Page): Promise<WatchedPicture[]> =>
  page.evaluate(() => (window as unknown as WatchedWindow).pictures);

/**
 * The longest time that a picture may have stayed, in milliseconds. A page that was held up has missed pictures: they are assumed
 * to have stayed as long as pictures usually do.
 */
export function longestHoldMs(pictures: readonly WatchedPicture[]): number {
  const gaps = pictures.slice(1).map(({ atMs, place }, index) => {
    const before = pictures[index] as WatchedPicture;
    return { ms: atMs - before.atMs, missed: Math.max(0, place - before.place - 1) };
  });
  const known = gaps.filter(({ missed }) => missed === 0).map(({ ms }) => ms);
  const usualMs = known.toSorted((one, other) => one - other)[Math.floor((known.length - 1) / 2)] ?? 0;
  const holdsMs = gaps.map(({ ms, missed }) => Math.round(ms - missed * usualMs));
  return Math.max(...holdsMs);
}

/**
 * The longest time that a picture stayed since {@link watchPictures} and the time between the first and the last one, in milliseconds, and
 * how often the video got new media. The last one has 3 s until the next.
 */
export async function readWatched(page: Page): Promise<{ longestHoldMs: number; shownForMs: number; replacements: number }> {
  const { pictures, replacements, nowMs } = await page.evaluate(async () => {
    const watched = window as unknown as WatchedWindow;
    const known = watched.pictures.length;
    for (let turn = 0; turn < 60 && watched.pictures.length === known; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const nowMs = watched.pictures.length > known ? undefined : performance.now();
    return { pictures: watched.pictures, replacements: watched.replacements, nowMs };
  });
  const [first, last] = [pictures[0], pictures.at(-1)];
  if (first === undefined || last === undefined) throw new Error('The video showed no picture.');
  const all = nowMs === undefined ? pictures : [...pictures, { ...last, atMs: nowMs, place: last.place + 1 }];
  return { longestHoldMs: longestHoldMs(all), shownForMs: last.atMs - first.atMs, replacements };
}
