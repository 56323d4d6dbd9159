import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

const profiles = [{ name: 'Small', bitrate: 60_000, fps: 0, width: 228, height: 128 }];
/** Enough for the rendition, but not for the source. */
const slowBytesPerSecond = 50_000;

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let studioHash: string;
let publisher: ReturnType<typeof startFfmpegPublisher>;

/** The first multivariant playlist that the page's monitor loads is from before the ladder started. */
async function offerLate(page: Page): Promise<void> {
  let isFirst = true;
  await page.route('**/hls/*/index.m3u8', async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).split('\n');
    const small = lines.findIndex((line) => line.startsWith('small/'));
    await route.fulfill({ response, body: (isFirst && small > 0 ? lines.toSpliced(small - 1, 2) : lines).join('\n') });
    isFirst = false;
  });
}

shareBrowserUi({ size: smallPage, prepare: offerLate }, async (opened) => {
  ui = opened;
  const { hash, ingestUrl } = await ui.createStream({ name: 'Late', profiles });
  studioHash = hash;
  publisher = startFfmpegPublisher(ingestUrl, {
    rate: 30,
    args: ['-b:v', '1500k', '-minrate', '1500k', '-maxrate', '1500k', '-bufsize', '1500k'],
  });
});
beforeEach(async () => {
  await ui.renewPage(studioHash);
  studio = studioPage(ui.page);
  await studio.seePicture();
});
afterAll(async () => {
  await publisher.kill();
});

test('blocking the page for two seconds does not count as a slow connection: the same player continues', async () => {
  const isReplaced = await ui.page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    let isReplaced = false;
    video.addEventListener('emptied', () => {
      isReplaced = true;
    });
    const until = performance.now() + 2_000;
    while (performance.now() < until);
    // After three more seconds of playback, any reaction would have happened.
    const { currentTime } = video;
    while (!isReplaced && video.currentTime < currentTime + 3)
      await new Promise((resolve) => video.addEventListener('timeupdate', resolve, { once: true }));
    return isReplaced;
  });
  expect(isReplaced).toBe(false);
  await studio.quality.click();
  await ui.page.getByRole('menuitemradio', { name: /^Small 228 × 128/ }).waitFor();
  await ui.page.keyboard.press('Escape');
});

test('a rendition that joins after the monitor opened is listed, and chosen when the connection is too slow for the source', async () => {
  await studio.quality.click();
  await ui.page.getByRole('menuitemradio', { name: /^Small 228 × 128/ }).waitFor();
  await ui.page.keyboard.press('Escape');
  const network = await ui.page.context().newCDPSession(ui.page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: slowBytesPerSecond,
    uploadThroughput: -1,
  });
  await ui.page.locator('[aria-label="Quality: Auto · Small · 128p"]').waitFor();
  await studio.seePicture();
});
