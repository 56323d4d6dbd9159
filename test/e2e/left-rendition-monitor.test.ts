import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { createStream } from '../support/create-stream.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { openHostContract } from '../support/host-contract.ts';
import { waitForHeight } from '../support/player-page.ts';
import { studioPage } from '../support/studio-page.ts';

/** What the page records about its video. */
interface WatchedWindow {
  /** When each picture was shown, on the page's clock. */
  shownAtMs: number[];
  /** How often the video got new media, as it does when its player is replaced. */
  replacements: number;
}

/** Small enough for a slow computer, with heights other than the 180 lines of the source. */
const profiles = [
  { name: 'Middle', bitrate: 200_000, fps: 0, width: 256, height: 144 },
  { name: 'Small', bitrate: 120_000, fps: 0, width: 228, height: 128 },
];
/** No picture may stay longer than this. */
const maxHoldMs = 2_000;

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let publisher: ReturnType<typeof startFfmpegPublisher>;
let contract: Awaited<ReturnType<typeof openHostContract>>;
let streamId: string;

beforeAll(async () => {
  ui = await openBrowserUi();
  studio = studioPage(ui.page);
  const { uiUrl } = await ui.host.getEvent('ui-url');
  contract = await openHostContract(String(uiUrl));
  const stream = await createStream(ui.host, { name: 'Ladder', profiles });
  streamId = stream.id;
  await ui.goTo(`#/studio/${stream.id}`);
  publisher = startFfmpegPublisher(`${ui.host.ready.ingestBaseUrl}/${stream.streamKey}`, { seconds: 300 });
  await studio.seePicture();
});
afterAll(async () => {
  contract[Symbol.dispose]();
  await publisher.kill();
  await ui[Symbol.asyncDispose]();
});

/** Starts recording when each picture is shown, and how often the video gets new media. */
const watchPictures = () =>
  ui.page.evaluate(() => {
    const page = window as unknown as WatchedWindow;
    page.shownAtMs = [];
    page.replacements = 0;
    const video = document.querySelector('video') as HTMLVideoElement;
    video.addEventListener('emptied', () => {
      page.replacements += 1;
    });
    const keep = (atMs: number) => {
      page.shownAtMs.push(atMs);
      video.requestVideoFrameCallback(keep);
    };
    video.requestVideoFrameCallback(keep);
  });

/** The longest time that a picture stayed, and how often the video got new media. */
const readWatched = () =>
  ui.page.evaluate(() => {
    const { shownAtMs, replacements } = window as unknown as WatchedWindow;
    const holdsMs = shownAtMs.slice(1).map((atMs, index) => Math.round(atMs - (shownAtMs[index] as number)));
    return { longestHoldMs: Math.max(...holdsMs), replacements };
  });

const makeOnly = (...names: string[]) => contract.app.broadcast.setRenditions({ streamId, names });

test('when the chosen rendition is turned off and on again, the picture continues and switches back to it', async () => {
  await studio.quality.click();
  await ui.page.getByRole('menuitemradio', { name: /^Small 228 × 128/ }).click();
  await waitForHeight(ui.page, 128);
  await studio.seePicture();
  await watchPictures();

  await makeOnly('Middle');
  const instead = ui.page.locator('[aria-label="Quality: Middle · 144p instead of Small"]');
  await instead.waitFor();
  await studio.quality.click();
  await ui.page.getByRole('menuitemradio', { name: /^Small .*Turned off/, checked: true, disabled: true }).waitFor();
  await ui.page.keyboard.press('Escape');
  await studio.seePicture();
  await makeOnly('Middle', 'Small');
  await ui.page.locator('[aria-label="Quality: Small · 128p"]').waitFor();
  await waitForHeight(ui.page, 128);
  await studio.seePicture();

  const { longestHoldMs, replacements } = await readWatched();
  expect(longestHoldMs).toBeLessThan(maxHoldMs);
  expect(replacements).toBe(0);
}, 90_000);

test('the monitor raised no error', () => {
  expect(ui.complaints).toEqual([]);
});
