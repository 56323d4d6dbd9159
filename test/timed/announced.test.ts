import { expect, test } from 'vitest';
import { recordAnnouncements } from '../support/announcements.ts';
import { openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

test('screen readers announce trouble at the next pause, and interrupt when it gets worse', async () => {
  await using ui = await openBrowserUi({ size: smallPage });
  const { hash, ingestUrl } = await ui.createStream({ name: 'Heard' });
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await ui.goTo(hash);
  await studioPage(ui.page).seePicture();
  await studioPage(ui.page).health.getByText('All good', { exact: true }).waitFor();
  // The picture is not judged during a player's first 5 s.
  await studioPage(ui.page)
    .health.getByText(/playing · /)
    .waitFor();
  const heard = await recordAnnouncements(ui.page);
  await ui.page.waitForTimeout(6_000);
  await ui.page.route('**/hls/**', (route) => route.abort());
  await expect
    .poll(async () => (await heard()).map((sentence) => sentence.split('.')[0]), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['status: Your monitor is stalling', 'alert: Your monitor is stalling']));
  // The counting seconds are not announced.
  await ui.page.waitForTimeout(2_000);
  expect((await heard()).filter((sentence) => sentence.startsWith('alert: Your monitor is stalling'))).toHaveLength(1);
});
