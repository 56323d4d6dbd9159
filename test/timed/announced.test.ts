import { expect, test } from 'vitest';
import { openBrowserUi } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

test('screen readers announce trouble at the next pause, and interrupt when it gets worse', async () => {
  await using ui = await openBrowserUi();
  const { hash, ingestUrl } = await ui.createStream({ name: 'Heard' });
  await using _publisher = startFfmpegPublisher(ingestUrl, { seconds: 120 });
  await ui.goTo(hash);
  await studioPage(ui.page).seePicture();
  await studioPage(ui.page).health.getByText('All good', { exact: true }).waitFor();
  // The picture is not judged during a player's first 5 s.
  await studioPage(ui.page)
    .health.getByText(/playing · /)
    .waitFor();
  await ui.page.evaluate(() => {
    const said: string[] = [];
    for (const region of document.querySelectorAll('[data-announcer]')) {
      const note = () => said.push(`${region.getAttribute('role')}: ${region.textContent}`);
      new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
    }
    Object.assign(window, { said });
  });
  await ui.page.waitForTimeout(6_000);
  await ui.page.route('**/hls/**', (route) => route.abort());
  const heard = () => ui.page.evaluate(() => (window as unknown as { said: string[] }).said);
  await expect
    .poll(async () => (await heard()).map((sentence) => sentence.split('.')[0]), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(['status: Your monitor is stalling', 'alert: Your monitor is stalling']));
  // The counting seconds are not announced.
  await ui.page.waitForTimeout(2_000);
  expect((await heard()).filter((sentence) => sentence.startsWith('alert: Your monitor is stalling'))).toHaveLength(1);
});
