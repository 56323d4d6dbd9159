import { expect, test } from 'vitest';
import { formatDuration } from '../../src/shared/format-duration.ts';
import { recordAnnouncements } from '../support/announcements.ts';
import { findViolations } from '../support/axe.ts';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';
import { waitUntil } from '../support/wait-until.ts';

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let id: string;
let hash: string;
let ingestUrl: string;

shareBrowserUi({ size: smallPage, prepare: (page) => page.emulateMedia({ reducedMotion: 'reduce' }) }, async (opened) => {
  ui = opened;
  studio = studioPage(ui.page);
  ({ id, hash, ingestUrl } = await ui.createStream({ name: 'Cut short' }));
  await ui.goTo('#/settings');
  const window = ui.page.getByRole('textbox', { name: /^Reconnect window/ });
  await window.fill('5');
  await ui.page.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
});

test('a lost broadcast leaves a card and is shown on every screen until dismissed', async () => {
  await ui.goTo(hash);
  const publisher = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  const contract = await ui.contract();
  const watch = () => contract.stream.watch({ streamId: id });
  const { air } = (await waitUntil(await watch(), ({ stream }) => stream.air.kind === 'on-air')).stream;
  const onAirSeconds = Number((await studio.timer.textContent())?.slice(-2));
  // The time on air is counted up to the last media. What comes from here on is newer than what the timer showed.
  const { session } = await waitUntil(await watch(), () => true);
  const counted = session?.sourceSegments ?? 0;
  await waitUntil(await watch(), (live) => (live.session?.sourceSegments ?? 0) > counted);
  await ui.goTo('#/streams');
  await publisher.kill();
  await ui.page.locator('[data-announcer="assertive"]', { hasText: 'Cut short: broadcast lost' }).waitFor();
  await expect.poll(() => ui.page.title()).toBe('Broadcast lost — Cut short · Streams · Tallylight');
  await ui.page
    .getByRole('banner')
    .getByText(/^ended at \d\d:\d\d:\d\d$/)
    .waitFor();

  await ui.goTo(hash);
  await studio.trouble.getByText(/^Your broadcast ended at \d\d:\d\d:\d\d: the encoder was gone for ([5-9]|1\d)\ss$/).waitFor();
  const { lost } = await waitUntil(await watch(), (live) => live.lost !== undefined);
  const { onAirMs = Number.NaN, endedAt = Number.NaN } = lost ?? {};
  expect(onAirMs).toBeGreaterThanOrEqual(onAirSeconds * 1_000);
  // The five seconds of waiting for the publisher do not count.
  expect(onAirMs).toBeLessThanOrEqual(endedAt - (air.kind === 'on-air' ? air.since : Number.NaN) - 5_000);
  const onAirFor = formatDuration(onAirMs / 1_000);
  await studio.trouble.getByText(`On air for ${onAirFor}.`, { exact: true }).waitFor();
  await studio.health.getByText(`${onAirFor}. The encoder was lost.`).waitFor();
  await studio.sessions.filter({ hasText: onAirFor }).waitFor();
  await studio.health.getByText(/^The broadcast ended after the encoder was gone for ([5-9]|1\d)\ss\.$/).waitFor();
  await expect.poll(() => ui.page.title()).toBe('Broadcast lost — Cut short');
  expect(await findViolations(ui.page)).toEqual([]);
  await ui.page.getByRole('button', { name: 'What happened' }).click();
  expect(await ui.page.evaluate(() => document.activeElement?.textContent)).toContain('What happened');
  await ui.page.reload();
  await studio.trouble.waitFor();
  await ui.page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click();
  await studio.trouble.waitFor({ state: 'detached' });
  await expect.poll(() => ui.page.title()).toBe('Off air — Cut short');
});

test('while a dialog covers Studio, screen readers hear of a lost signal and of the lost broadcast', async () => {
  const stream = await ui.createStream({ name: 'Covered' });
  const page = await ui.openPage(stream.hash);
  const covered = studioPage(page);
  await using publisher = startFfmpegPublisher(stream.ingestUrl);
  await covered.state('On air').waitFor();
  await page.getByRole('button', { name: 'Edit stream' }).click();
  await page.getByRole('dialog').waitFor();
  const heard = await recordAnnouncements(page);
  await publisher.kill();
  await expect.poll(heard).toEqual(expect.arrayContaining(['status: Covered: Signal lost', 'alert: Covered: broadcast lost']));
  await page.close();
});
