import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { createStream } from '../support/create-stream.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

const profiles = [{ name: 'Small', bitrate: 60_000, fps: 0, width: 228, height: 128 }];
/** Enough for the rendition, but not for the source. */
const slowBytesPerSecond = 50_000;

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let publisher: ReturnType<typeof startFfmpegPublisher>;

beforeAll(async () => {
  ui = await openBrowserUi();
  studio = studioPage(ui.page);
  // The first playlist that the monitor loads is from before the ladder started.
  let isFirst = true;
  await ui.page.route('**/hls/*/index.m3u8', async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).split('\n');
    const small = lines.findIndex((line) => line.startsWith('small/'));
    await route.fulfill({ response, body: (isFirst && small > 0 ? lines.toSpliced(small - 1, 2) : lines).join('\n') });
    isFirst = false;
  });
  const stream = await createStream(ui.host, { name: 'Late', profiles });
  await ui.goTo(`#/studio/${stream.id}`);
  publisher = startFfmpegPublisher(`${ui.host.ready.ingestBaseUrl}/${stream.streamKey}`, {
    seconds: 300,
    args: ['-b:v', '1500k', '-minrate', '1500k', '-maxrate', '1500k', '-bufsize', '1500k'],
  });
  await studio.seePicture();
});
afterAll(async () => {
  await publisher.kill();
  await ui[Symbol.asyncDispose]();
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

test('the page raised no error and did not violate the Content-Security-Policy', () => {
  expect(ui.complaints).toEqual([]);
});
