import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { makeStream } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;

beforeAll(async () => {
  ui = await openBrowserUi();
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

test('Studio shows the URLs of the service domain, and beside them those for this computer', async () => {
  const studio = studioPage(ui.page);
  await makeStream(ui, 'By name');
  const here = 'Ingest URL on this computer';
  expect(await studio.value(here).count()).toBe(0);
  const playbackUrl = String(await studio.value('Playback URL').textContent());

  await ui.goTo('#/settings');
  await ui.page.getByRole('textbox', { name: 'Service domain' }).fill('live.example.com');
  await ui.page.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Settings saved').first().waitFor();
  await ui.goTo('#/streams');
  await ui.page.getByRole('main').getByRole('link', { name: 'By name' }).click();
  await studio.value(here).waitFor();
  await expect.poll(() => studio.value('Ingest URL').first().textContent()).toContain('live.example.com');
  await expect.poll(() => studio.value('Playback URL').first().textContent()).toContain('live.example.com');
  await expect.poll(() => studio.value(here).textContent()).toBe(ui.host.ready.ingestBaseUrl);
  await expect.poll(() => studio.value('Playback URL on this computer').textContent()).toBe(playbackUrl);

  await studio.copy('stream key').click();
  await ui.page.getByText('Stream key copied').first().waitFor();
  const key = await ui.readClipboard();
  await studio.copy('ingest URL on this computer').click();
  await ui.page.getByText('Ingest URL on this computer copied').first().waitFor();
  await using _publisher = startFfmpegPublisher(`${await ui.readClipboard()}/${key}`);
  await studio.seePicture();
  expect(ui.complaints).toEqual([]);
});
