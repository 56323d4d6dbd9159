import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findViolationsInThemes } from '../support/axe.ts';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

/** As many as the recommended ladder has, at a fraction of its cost. */
const profiles = [
  { name: 'Large', bitrate: 200_000, fps: 0, width: 320, height: 180 },
  { name: 'Middle', bitrate: 150_000, fps: 0, width: 256, height: 144 },
  { name: 'Small', bitrate: 120_000, fps: 0, width: 228, height: 128 },
];

let ui: BrowserUi;
beforeAll(async () => {
  // Without motion, nothing is half faded in during a check.
  ui = await openBrowserUi({ prepare: (page) => page.emulateMedia({ reducedMotion: 'reduce' }) });
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

describe('axe finds no violation in the dark and the light theme', () => {
  test('Streams: empty, with streams, a form with errors, a menu, a confirmation', async () => {
    await ui.renewPage();
    const streams = streamsPage(ui.page);
    await streams.makeFirst.waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    const { id: streamId } = await ui.createStream({ name: 'Sunday show' });
    // The tests by keyboard find no stream either.
    onTestFinished(async () => {
      await (await ui.contract()).stream.delete({ streamId });
    });
    await streams.link('Sunday show').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.getByRole('button', { name: 'More about Sunday show' }).click();
    await ui.page.getByRole('menu').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.getByRole('menuitem', { name: 'Delete…' }).click();
    await streams.question.waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await streams.question.getByRole('button', { name: 'Cancel' }).click();
    await ui.goTo('#/streams/new');
    await streams.ladder('Custom').click();
    await streams.rendition(1).getByRole('textbox', { name: 'Width' }).fill('1');
    await streams.create.click();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.keyboard.press('Escape');
    await streams.dialog.waitFor({ state: 'detached' });
  });
});

test('axe finds no violation in what remote services add: a form with errors, their list, the choice of a service', async () => {
  const app = await ui.contract();
  const { secret } = await app.apiKey.create({ name: 'itself' });
  const { id: serviceId } = await app.remoteService.add({ name: 'Itself', baseUrl: ui.host.ready.apiBaseUrl, apiKey: secret });
  onTestFinished(async () => {
    await app.remoteService.remove({ serviceId });
  });
  await ui.renewPage('#/settings');
  await ui.page.getByRole('button', { name: 'Edit Itself' }).waitFor();
  await ui.page.getByRole('button', { name: 'Add service…' }).click();
  await ui.page.getByRole('button', { name: 'Check and add' }).click();
  await ui.page.getByText('Give it a name of 100 characters or fewer.').waitFor();
  expect(await findViolationsInThemes(ui.page)).toEqual([]);
  await ui.page.keyboard.press('Escape');
  await ui.goTo(`#/services/${serviceId}/streams`);
  await ui.page.getByRole('combobox', { name: 'Service' }).click();
  await ui.page.getByRole('option', { name: 'This computer' }).waitFor();
  expect(await findViolationsInThemes(ui.page)).toEqual([]);
});

describe('by keyboard alone', () => {
  /** The focused element, as a screen reader names it. */
  const focusedName = () =>
    ui.page.evaluate(() => {
      const focused = document.activeElement;
      const labels = focused?.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labelled = labels.map((id) => document.getElementById(id)?.textContent).join(' ');
      const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : undefined;
      return focused?.getAttribute('aria-label') ?? (labelled || label || focused?.textContent || focused?.tagName);
    });

  const focusedTag = () => ui.page.evaluate(() => document.activeElement?.tagName);

  /** Waits for the button with this name, then presses Tab until it has the focus; returns everything it passed. */
  async function tabTo(name: string): Promise<string[]> {
    await ui.page.getByRole('button', { name, exact: true }).waitFor();
    const passed: string[] = [];
    for (let press = 0; press < 40; press += 1) {
      await ui.page.keyboard.press('Tab');
      passed.push((await focusedName()) ?? '');
      if (passed.at(-1) === name) return passed;
    }
    throw new Error(`Tab does not lead to ${name}: ${passed.join(', ')}`);
  }

  test('a stream is created, goes live and stops without a pointer, in reading order', async () => {
    await ui.renewPage();
    const studio = studioPage(ui.page);
    await tabTo('Create my first stream');
    await ui.page.keyboard.press('Enter');
    // The screen that is entered has the focus, and its name comes first.
    await expect.poll(focusedName).toBe('My stream');
    expect(await tabTo('Copy playback URL')).toEqual([
      'Edit stream',
      'Tally view (T)',
      'Go live',
      'Test picture',
      'Camera in a corner',
      'Mute Test tone',
      'Remove Test tone',
      'Level of Test tone',
      'Add a sound',
      'Keep peaks from clipping',
      'Quality',
      'Copy ingest URL',
      'Reveal stream key',
      'Copy stream key',
      'Copy playback URL',
    ]);
    await ui.page.keyboard.press('Control+Enter');
    await studio.seePicture();
    await ui.page.keyboard.press('Control+.');
    // The question takes the focus once it is open: a Tab before that would be undone.
    await expect.poll(focusedName).toBe('Cancel');
    await tabTo('Stop the broadcast');
    await ui.page.keyboard.press('Enter');
    await studio.goLive.waitFor();
  });

  test('the focus stays on the screen when what had it is removed by its own press', async () => {
    const { id } = await ui.createStream({ name: 'Silent film' });
    onTestFinished(async () => {
      await (await ui.contract()).stream.delete({ streamId: id });
    });
    await ui.renewPage(`#/studio/${id}`);
    // Right after it opened, the screen takes the focus to its name, even from itself.
    await expect.poll(focusedTag).toBe('H1');
    await tabTo('Remove Test tone');
    await ui.page.keyboard.press('Enter');
    await ui.page.getByRole('button', { name: 'Remove Test tone' }).waitFor({ state: 'detached' });
    await expect.poll(focusedTag).toBe('MAIN');

    await ui.goTo('#/regions');
    await ui.page.getByRole('textbox', { name: 'Network' }).fill('203.0.113.0/24');
    await ui.page.keyboard.press('Enter');
    const remove = ui.page.getByRole('button', { name: /^Remove 203\.0\.113\.0/ });
    // The list may show it before the service has answered the form, whose buttons can't be used until then.
    await expect.poll(() => remove.isEnabled()).toBe(true);
    await remove.focus();
    await ui.page.keyboard.press('Enter');
    await remove.waitFor({ state: 'detached' });
    await expect.poll(focusedTag).toBe('MAIN');

    // Its place goes right after it.
    const place = await ui.page.evaluateHandle(() => document.querySelector('main'));
    await ui.page.getByRole('button', { name: 'Add region' }).focus();
    await ui.page.evaluate(() => {
      document.activeElement?.remove();
      window.location.hash = '#/settings';
    });
    await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await expect.poll(focusedTag).toBe('MAIN');
    expect(await place.evaluate((left) => left === document.activeElement)).toBe(false);
  });

  test('entering and leaving the tally view leave the focus on the screen', async () => {
    await ui.renewPage('#/settings');
    await ui.page.getByRole('button', { name: 'Create key' }).focus();
    await ui.page.keyboard.press('t');
    await ui.page.getByRole('heading', { name: /: tally view$/ }).waitFor({ state: 'attached' });
    await expect.poll(focusedTag).toBe('MAIN');
    await ui.page.keyboard.press('t');
    await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
    await expect.poll(focusedTag).toBe('MAIN');
  });

  test('the focus is visible, and returns when a dialog closes', async () => {
    await ui.renewPage('#/streams');
    await tabTo('More about My stream');
    expect(await ui.page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)).toBe('solid');
    await ui.page.keyboard.press('Enter');
    await ui.page.getByRole('menuitem', { name: 'Edit…' }).waitFor();
    await ui.page.keyboard.press('Escape');
    await ui.page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(focusedName).toBe('More about My stream');
  });
});

describe('axe finds no violation in the dark and the light theme, in Studio and Settings', () => {
  test('Studio: off air, an open list of choices, connecting and on air, reconnecting, failed', async () => {
    const { hash, ingestUrl } = await ui.createStream({ name: 'Evening' });
    await ui.renewPage(hash);
    const studio = studioPage(ui.page);
    await studio.goLive.waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.getByRole('combobox', { name: 'Quality' }).click();
    await ui.page.getByRole('listbox').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.keyboard.press('Escape');
    await studio.source('File').click();
    await studio.filePath.fill('/nowhere/at-all.mp4');
    await studio.goLive.click();
    await ui.page.getByText('There is no file /nowhere/at-all.mp4.').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    // A text file, not a video.
    await studio.filePath.fill(import.meta.filename);
    await studio.goLive.click();
    await studio.trouble.waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await studio.showKey();
    const publisher = startFfmpegPublisher(ingestUrl);
    await studio.seePicture();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await publisher.kill();
    await studio.monitor.getByText('Viewers see this picture').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
  });

  test('Studio on air with a full ladder, its details and the steps for OBS', async () => {
    const { hash } = await ui.createStream({ name: 'With a ladder', profiles });
    await ui.renewPage(hash);
    const studio = studioPage(ui.page);
    await studio.source('From OBS or another program').click();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await studio.source('Test picture').click();
    await studio.goLive.click();
    await studio.seePicture();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    // The chart and the list of events are visible without scrolling.
    const readEnds = () =>
      studio.health.evaluate((panel) =>
        [...panel.querySelectorAll('figure, [aria-labelledby="what-happened"] li:first-child')].map(
          (part) => part.getBoundingClientRect().bottom <= window.innerHeight,
        ),
      );
    await expect.poll(readEnds).toEqual([true, true]);
    await studio.openDetails();
    await studio.health.getByRole('region', { name: 'Renditions' }).waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await studio.stopBroadcast();
  });

  test('Regions: one that cannot be reached, and the form for another', async () => {
    const { settings } = await ui.contract();
    const urls = { ingest: 'rtmp://127.0.0.1:1/live', playback: 'http://127.0.0.1:1/hls', base: 'http://127.0.0.1:1' };
    await settings.update({ regions: [{ code: 'zzz', urls }], regionNetworks: [{ network: '10.0.0.0/8', region: 'zzz' }] });
    await ui.renewPage('#/regions');
    await ui.page.getByText("Can't be reached.").waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.getByRole('button', { name: 'Add region' }).click();
    const adding = ui.page.getByRole('dialog', { name: 'Add region' });
    await adding.getByRole('button', { name: 'Save' }).click();
    await adding.getByText('Use the three-letter code of a nearby airport, like ber.').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await settings.update({ regions: [], regionNetworks: [] });
  });

  test('Settings with a new key, and the shortcuts', async () => {
    await ui.renewPage('#/settings');
    const keys = ui.page.getByRole('region', { name: 'API keys' });
    await keys.getByRole('textbox').fill('Deck');
    await keys.getByRole('button', { name: 'Create key' }).click();
    await keys.getByText('Deck is ready.').waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
    await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).click();
    await ui.page.keyboard.press('?');
    await ui.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await findViolationsInThemes(ui.page)).toEqual([]);
  });
});
