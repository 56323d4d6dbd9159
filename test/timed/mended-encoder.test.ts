import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;

shareBrowserUi({ size: smallPage }, (opened) => {
  ui = opened;
});

/** Resolves with the seconds from the call until the page shows *On air*, and until the monitor has decoded a picture. */
const timeOnAirAndPicture = (page: Page) =>
  page.evaluate(async () => {
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
  { what: 'video', why: /isn't supported/, args: ['-c:v', 'flv1', '-vf', 'setpts=PTS+4/TB'] },
  { what: 'audio', why: /MP3 audio isn't supported/, args: ['-c:a', 'libmp3lame', '-ar', '44100'] },
])('a publisher that is refused for its $what codec, fixed and restarted is shown at once', async ({ what, why, args }) => {
  const name = `Mended ${what}`;
  const { hash, ingestUrl } = await ui.createStream({ name });
  await using page = await ui.openPage(hash);
  const studio = studioPage(page);
  await page.getByRole('heading', { name, level: 1 }).waitFor();

  expect((await startFfmpegPublisher(ingestUrl, { args }).ended).exitCode).not.toBe(0);
  await studio.monitor.getByText(/was refused \d+\ss ago$/).waitFor();
  await studio.monitor.getByText(why).waitFor();
  await expect.poll(() => studio.state('Off air').isVisible()).toBe(true);

  const timed = timeOnAirAndPicture(page);
  await using _mended = startFfmpegPublisher(ingestUrl);
  const { onAir, picture } = await timed;
  expect(picture - onAir).toBeLessThan(5);
  await studio.seePicture();
  await expect.poll(() => studio.sessions.count()).toBe(2);
  await studio.stopBroadcast();
});
