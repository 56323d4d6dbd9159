import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { createStream } from '../support/create-stream.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;

beforeAll(async () => {
  ui = await openBrowserUi();
});
beforeEach(async () => {
  await ui.renewPage();
  studio = studioPage(ui.page);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** Resolves with the seconds from the call until the page shows *On air*, and until the monitor has decoded a picture. */
const timeOnAirAndPicture = () =>
  ui.page.evaluate(async () => {
    const calledAtMs = performance.now();
    const until = async (isThere: () => boolean) => {
      while (!isThere()) await new Promise(requestAnimationFrame);
      return (performance.now() - calledAtMs) / 1000;
    };
    const onAir = await until(() => /ON AIR/i.test(document.querySelector('header')?.textContent ?? ''));
    const picture = await until(() => (document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 1);
    return { onAir, picture };
  });

test.each([
  // Its audio comes first, and must not go on air alone.
  ['video', /isn't supported/, ['-c:v', 'flv1', '-vf', 'setpts=PTS+4/TB']],
  ['audio', /MP3 audio isn't supported/, ['-c:a', 'libmp3lame', '-ar', '44100']],
])('a publisher that is refused for its %s codec, fixed and restarted is shown at once', async (what, why, args) => {
  const name = `Mended ${what}`;
  const stream = await createStream(ui.host, { name, profiles: [] });
  const ingestUrl = `${ui.host.ready.ingestBaseUrl}/${stream.streamKey}`;
  await ui.goTo(`#/studio/${stream.id}`);
  await ui.page.getByRole('heading', { name, level: 1 }).waitFor();

  expect((await startFfmpegPublisher(ingestUrl, { args }).ended).exitCode).not.toBe(0);
  await studio.monitor.getByText(/was refused \d+ s ago$/).waitFor();
  await studio.monitor.getByText(why).waitFor();
  await expect.poll(() => studio.state('Off air').isVisible()).toBe(true);

  const timed = timeOnAirAndPicture();
  await using _mended = startFfmpegPublisher(ingestUrl);
  const { onAir, picture } = await timed;
  expect(picture - onAir).toBeLessThan(5);
  await studio.seePicture();
  await expect.poll(() => studio.sessions.count()).toBe(2);
  await studio.stopBroadcast();
});

test('the page raised no error and did not violate the Content-Security-Policy', () => {
  expect(ui.complaints).toEqual([]);
});
