import { expect, test } from 'vitest';
import { openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { makeStream } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

test('health shows four main numbers, and exact ones under Details; off air it shows what the next broadcast needs', async () => {
  await using ui = await openBrowserUi({ size: smallPage });
  const studio = studioPage(ui.page);
  await makeStream(ui, 'Show');
  await studio.goLive.click();
  await studio.seePicture();
  await studio.health.getByRole('heading', { name: 'All good' }).waitFor();
  const stages = studio.health.getByRole('list', { name: 'From source to viewer' }).getByRole('listitem');
  await stages.filter({ hasText: /Play.*behind/ }).waitFor();
  expect(await stages.locator('b').allTextContents()).toEqual(['Capture', 'Encode', 'Upload', 'Ingest', 'Package', 'Play']);
  expect(await studio.fact('Bitrate').textContent()).toMatch(/^[\d\u202f]+ of [\d\u202f]+\skbit\/s$/);
  // On a busy computer it is unknown now and then, for up to a second.
  await expect.poll(() => studio.fact('Latency').textContent()).toMatch(/^\d+\.\d\ss behind you$/);
  // The chart gets its name once its range is drawn.
  await studio.health.getByRole('img', { name: /^Bitrate between .*\skbit\/s since [\d:]+$/ }).waitFor();
  await studio.openDetails();
  expect(await studio.fact('Picture').textContent()).toBe('1280 × 720');
  // The encoder may have started slowly.
  await expect.poll(() => studio.fact('Frame rate').textContent()).toMatch(/^(30|29\.\d|30\.\d)\sfps$/);
  // The longest one of 30 s of video.
  await expect.poll(() => studio.fact('Keyframe interval').textContent(), { timeout: 60_000 }).toBe('1.0\u00a0s');
  await studio.stopBroadcast();
  await studio.health.getByRole('heading', { name: 'Ready to go live' }).waitFor();
  expect(await studio.health.getByText(/^\S+ works$/).count()).toBe(1);
  expect(await studio.fact('Who can watch').textContent()).toBe('This computer only');
  await studio.health.getByText(/You stopped it\.$/).waitFor();
});
