import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';
import { readWatched, type WatchedPicture, watchPictures } from '../support/watched-pictures.ts';

const rate = 15;
/** The last keyframe comes this long after the start. */
const keyframesForSeconds = 10;
/** So much of the broadcast without keyframes is more than the monitor keeps behind the playhead. */
const watchedSeconds = 35;
/** No picture may stay longer than this. */
const maxHoldMs = 1_500;

let ui: BrowserUi;
beforeAll(async () => {
  ui = await openBrowserUi({ size: smallPage });
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

test('the monitor plays on after the keyframes have stopped, as viewers do', async () => {
  const { hash, ingestUrl } = await ui.createStream({ name: 'Few keyframes' });
  const keyframes = Array.from({ length: keyframesForSeconds }, (_, second) => second).join(',');
  const args = ['-g', '100000', '-force_key_frames', keyframes];
  await using publisher = startFfmpegPublisher(ingestUrl, { rate, args });
  await ui.renewPage(hash);
  const studio = studioPage(ui.page);
  await studio.seePicture();
  await watchPictures(ui.page);
  const seconds = keyframesForSeconds + watchedSeconds;
  await ui.page.waitForFunction(
    ({ seconds, holdMs }) => {
      const { pictures = [] } = window as unknown as { pictures?: WatchedPicture[] };
      const [first, last] = [pictures[0]?.atMs ?? 0, pictures.at(-1)?.atMs ?? 0];
      const isHeld = pictures.length > 0 && performance.now() - last > holdMs;
      return isHeld || last - first > seconds * 1000;
    },
    { seconds, holdMs: 2 * maxHoldMs },
    { timeout: 100_000, polling: 250 },
  );
  const { longestHoldMs, shownForMs, replacements } = await readWatched(ui.page);
  expect({ longestHoldMs: longestHoldMs < maxHoldMs, replacements }).toEqual({ longestHoldMs: true, replacements: 0 });
  expect(shownForMs).toBeGreaterThan(seconds * 1_000);
  expect(ui.complaints).toEqual([]);
  await publisher.quit();
}, 130_000);
