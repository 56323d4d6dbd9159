import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { waitForHeight } from '../support/player-page.ts';
import { studioPage } from '../support/studio-page.ts';
import { readWatched, watchPictures } from '../support/watched-pictures.ts';

/** Small enough for a slow computer, with heights other than the 180 lines of the source. */
const profiles = [
  { name: 'Middle', bitrate: 200_000, fps: 0, width: 256, height: 144 },
  { name: 'Small', bitrate: 120_000, fps: 0, width: 228, height: 128 },
];
/** No picture may stay longer than this: half of what it took while hls.js misjudged its buffer (decision 0025). */
const maxHoldMs = 1_000;
/** Each change of rendition may come in the first or in the second GOP of a segment. */
const rounds = 2;

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let publisher: ReturnType<typeof startFfmpegPublisher>;
let streamId: string;

beforeAll(async () => {
  ui = await openBrowserUi({ size: smallPage });
  const { id, hash, ingestUrl } = await ui.createStream({ name: 'Ladder', profiles });
  streamId = id;
  publisher = startFfmpegPublisher(ingestUrl);
  await ui.renewPage(hash);
  studio = studioPage(ui.page);
  await studio.seePicture();
});
afterAll(async () => {
  await publisher.kill();
  await ui[Symbol.asyncDispose]();
});

const makeOnly = async (...names: string[]) => (await ui.contract()).broadcast.setRenditions({ streamId, names });

test('when the chosen rendition is turned off and on again, the picture continues and switches back to it', async () => {
  await studio.quality.click();
  await ui.page.getByRole('menuitemradio', { name: /^Small 228 × 128/ }).click();
  await waitForHeight(ui.page, 128);
  await studio.seePicture();
  await watchPictures(ui.page);

  const instead = ui.page.locator('[aria-label="Quality: Middle · 144p instead of Small"]');
  for (let round = 0; round < rounds; round += 1) {
    await makeOnly('Middle');
    await instead.waitFor();
    await studio.quality.click();
    await ui.page.getByRole('menuitemradio', { name: /^Small .*Turned off/, checked: true, disabled: true }).waitFor();
    await ui.page.keyboard.press('Escape');
    await studio.seePicture();
    await makeOnly('Middle', 'Small');
    await ui.page.locator('[aria-label="Quality: Small · 128p"]').waitFor();
    await waitForHeight(ui.page, 128);
    await studio.seePicture();
  }

  const { longestHoldMs, replacements } = await readWatched(ui.page);
  expect(longestHoldMs).toBeLessThan(maxHoldMs);
  expect(replacements).toBe(0);
  expect(ui.complaints).toEqual([]);
}, 90_000);
