import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, goTo, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { holdPageSocket, withoutWarnings } from '../support/page-socket.ts';
import { readPlaylist } from '../support/read-playlist.ts';
import { openStoreAsRival } from '../support/rival-program.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
beforeAll(async () => {
  ui = await openBrowserUi({
    size: smallPage,
    prepare: async (page) => {
      (await holdPageSocket(page)).rewrite = withoutWarnings;
    },
  });
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

test('while the store cannot be read, no screen claims to know what is on air, Stop stays, and all return by themselves', async () => {
  const { page } = ui;
  const { hash, ingestUrl, playbackId } = await ui.createStream({ name: 'On a bad disk' });
  await ui.goTo(hash);
  const studio = studioPage(page);
  const publisher = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();
  using db = openStoreAsRival(ui.host.dataFolder);
  db.exec('ALTER TABLE stream RENAME TO stream_away');

  await studio.state('No contact').waitFor();
  await studio.strip.getByText(/^was on air \S+\ss ago$/).waitFor();
  const health = page.getByRole('complementary', { name: 'Health' });
  await health.getByText("The service can't read the stream's state").waitFor();
  expect(await studio.stop.isVisible()).toBe(true);
  expect(await page.title()).toBe('No contact — On a bad disk');
  // Viewers get it all the same.
  const newest = async () => {
    const answer = await fetch(`${ui.host.ready.playbackBaseUrl}/${playbackId}/source/index.m3u8`);
    return readPlaylist(await answer.text()).segments.at(-1)?.msn ?? -1;
  };
  const before = await newest();
  expect(before).toBeGreaterThanOrEqual(0);
  await expect.poll(newest).toBeGreaterThan(before + 1);
  // What changes now, nobody can read.
  await publisher.kill();
  const link = page.getByRole('list', { name: 'Your streams' }).getByRole('link');
  await expect.poll(() => link.getAttribute('title')).toBe('On a bad disk · No contact');
  await goTo(page, '#/streams');
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await page.getByRole('banner').getByText("Can't tell what is on air.").waitFor();
  expect(await page.title()).toBe('No contact · Streams · Tallylight');
  await goTo(page, '#/tally');
  await page.getByRole('main').getByText('No contact', { exact: true }).waitFor();
  // What Studio knew is gone with the page.
  await page.reload();
  await goTo(page, hash);
  await page.getByRole('heading', { name: "Can't show this stream", level: 1 }).waitFor();

  db.exec('ALTER TABLE stream_away RENAME TO stream');
  await using _returned = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();
  await expect.poll(() => link.getAttribute('title')).toBe('On a bad disk · On air');
  expect(ui.complaints).toEqual([]);
});
