import { expect, test } from 'vitest';
import { openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

test('a broadcast that is meant to be silent is good once its owner has said so', async () => {
  await using ui = await openBrowserUi({ size: smallPage });
  const { hash, ingestUrl } = await ui.createStream({ name: 'Silent film' });
  await ui.goTo(hash);
  const studio = studioPage(ui.page);
  await using _publisher = startFfmpegPublisher(ingestUrl, { args: ['-an'] });
  await studio.health.getByRole('heading', { name: 'Viewers hear nothing' }).waitFor();
  await studio.health.getByRole('button', { name: 'It is meant to be silent' }).click();
  await studio.health.getByRole('heading', { name: 'All good' }).waitFor();
  await studio.stopBroadcast();
  expect(ui.complaints).toEqual([]);
});
