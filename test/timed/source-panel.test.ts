import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { fakeMedia } from '../support/chromium.ts';
import { findFfmpegs } from '../support/find-processes.ts';
import { studioPage } from '../support/studio-page.ts';
import { startX11Display, type X11Display } from '../support/x11-display.ts';

const mediaFolder = fileURLToPath(new URL('../fixtures/media', import.meta.url));
const film = join(mediaFolder, 'eight-seconds.flv');

let display: X11Display;
let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let hash: string;

beforeAll(async () => {
  display = await startX11Display();
  ui = await openBrowserUi({ size: smallPage, chromiumArgs: fakeMedia, env: { DISPLAY: display.name } });
});
afterEach(() => {
  expect(ui.complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
  await display[Symbol.asyncDispose]();
});
beforeEach(async () => {
  ({ hash } = await ui.createStream({ name: 'Show' }));
  await ui.renewPage(hash);
  studio = studioPage(ui.page);
  await studio.goLive.waitFor();
});

/** Presses a button that opens the capture tab, or shows it; it is closed with the test's page. */
async function openTab(button: string): Promise<Page> {
  const opened = ui.page.waitForEvent('popup');
  await ui.page.getByRole('button', { name: button }).click();
  return opened;
}

test("a browser's camera and microphone go live from a tab, which outlives a reload of the screens and is taken back after its own", async () => {
  await studio.source('Camera').click();
  const tab = await openTab('Camera of this browser…');
  await expect.poll(() => studio.device('Camera').textContent()).toBe('fake_device_0');
  await studio.previewed.waitFor();
  await ui.page.bringToFront();
  await studio.addSound('Fake Audio Input 1');
  await expect.poll(() => studio.sounds.allInnerTexts()).toEqual([expect.stringContaining('Fake Audio Input 1')]);
  // Chromium's fake microphone beeps once a second.
  const levels = ui.page.getByRole('meter', { name: 'Fake Audio Input 1, left' });
  await expect.poll(async () => Number(await levels.getAttribute('aria-valuenow')), { timeout: 10_000 }).toBeGreaterThan(-40);
  // The mix that would go out is measured as a broadcast is.
  await expect.poll(() => studio.peaks.count()).toBe(2);
  const meter = ui.page.getByRole('region', { name: 'Sound meter' });
  await expect.poll(() => meter.textContent()).toMatch(/^MMomentary loudness−[\d.]+SShort-term loudness−[\d.]+LUFS$/);
  await studio.encodeSlowly();
  await studio.goLive.click();
  await studio.seePicture();
  await ui.page.reload();
  await studio.seePicture();
  await tab.reload();
  // The verdict; what happened stays in the log.
  await studio.health.locator('b', { hasText: '“fake_device_0”' }).waitFor({ state: 'detached' });
  await studio.seePicture();
  await studio.stopBroadcast();
  // Nobody uses them any more; the last choice captures the same devices again, without a question.
  await ui.goTo('#/settings');
  await tab.getByText('Nothing is captured. You can close this tab.').waitFor();
  await ui.goTo(hash);
  await expect.poll(() => tab.getByRole('listitem').allInnerTexts()).toHaveLength(2);
  await studio.previewed.waitFor();
  expect(await studio.device('Camera').textContent()).toBe('fake_device_0');
  await tab.close();
});

test('a shared screen is seen in the preview; what ends is named, and asked for again', async () => {
  await studio.source('Screen').click();
  const tab = await openTab('Share a screen…');
  await ui.page.getByText('Choose what to share in the capture tab.').waitFor();
  await tab.getByRole('button', { name: 'Choose what to share' }).click();
  await studio.previewed.waitFor();
  const shared = tab.getByRole('listitem').filter({ hasText: 'Screen' });
  await shared.getByRole('button', { name: 'Stop sharing' }).click();
  await ui.page.getByText('Sharing has ended. Share it again, or choose another picture.').waitFor();
  await ui.page.getByRole('list', { name: 'Problems with the source' }).getByText("“Screen” isn't shared any more").waitFor();
  await studio.health.getByText("“Screen” isn't shared any more").waitFor();
  await ui.page.getByRole('button', { name: 'Ask again' }).click();
  await tab.getByRole('button', { name: 'Choose what to share' }).click();
  await ui.page.getByText('Sharing has ended.').waitFor({ state: 'detached' });
  await studio.health.getByText('No sound is chosen').waitFor();
  await studio.addSound('Test tone');
  await studio.health.getByText('Ready to go live').waitFor();
  await tab.close();
  await ui.page.getByText('The capture tab is closed. Open it again to capture the screen.').waitFor();
});

test('files and sounds with levels are mixed by keyboard, remembered for the stream, and changed on air', async () => {
  const { page } = ui;
  await studio.source('Files').click();
  await studio.filePath.fill(film);
  await studio.addSound('Test tone');
  const level = page.getByRole('slider', { name: 'Level of Test tone' });
  await level.focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowLeft');
  expect(await level.getAttribute('aria-valuetext')).toBe('−3\u00a0dB');
  await page.getByRole('button', { name: 'Mute Sound of the files' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Keep peaks from clipping' }).check();
  await studio.encodeSlowly();
  await studio.goLive.click();
  await studio.seePicture();
  // The panel was scrolled down to its sounds.
  await expect.poll(() => studio.monitor.evaluate((monitor) => monitor.getBoundingClientRect().top)).toBeGreaterThan(0);
  const { stream } = await ui.contract();
  const streamId = hash.split('/').at(-1) ?? '';
  for await (const live of await stream.watch({ streamId })) {
    expect('source' in live.oneClick && live.oneClick.source).toEqual({
      picture: { main: { kind: 'files', paths: [film], loops: true } },
      sound: {
        inputs: [
          { of: { kind: 'of-picture' }, levelDb: 0, isMuted: true },
          { of: { kind: 'test-tone' }, levelDb: -3, isMuted: false },
        ],
        limits: true,
      },
    });
    break;
  }
  await page.getByRole('button', { name: 'Change source' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change source' });
  await dialog.getByRole('radio', { name: 'Test picture' }).click();
  await dialog.getByRole('button', { name: 'Use this source' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Set-up' }).getByText('Test picture', { exact: true }).waitFor();
  await studio.seePicture();
  await studio.stopBroadcast();
  // As it was last on air.
  await ui.renewPage(hash);
  await expect.poll(() => studioPage(ui.page).source('Test picture').getAttribute('aria-checked')).toBe('true');
  await ui.page.getByRole('slider', { name: 'Level of Test tone' }).waitFor();
});

test('a screen that is the only one is chosen and previewed at once', async () => {
  await studio.source('Screen').click();
  await expect.poll(() => studio.device('Screen').textContent()).toBe('Whole screen, 640 × 360');
  await studio.previewed.waitFor();
});

test('a screen that goes live without sound, because there is no microphone, is a warning until its owner says that it is meant', async () => {
  await studio.source('Screen').click();
  await studio.previewed.waitFor();
  await studio.encodeSlowly();
  await studio.goLive.click();
  await studio.health.getByRole('heading', { name: 'Viewers hear nothing' }).waitFor();
  await studio.health.getByText('The source has no sound. Add one in Change source.').waitFor();
  await studio.health.getByRole('button', { name: 'It is meant to be silent' }).click();
  await studio.health.getByRole('heading', { name: 'Viewers hear nothing' }).waitFor({ state: 'detached' });
  await studio.stopBroadcast();
  // The next show begins with the same source, and nobody has chosen its sound.
  await studio.health.getByText('No sound is chosen').waitFor();
});

test('a preview that nobody sees rests: its page is hidden, or the panel is scrolled away', async () => {
  const { page } = ui;
  const findReaders = async () => (await findFfmpegs(ui.host.pid)).filter(({ words }) => words.includes(`file:${film}`));
  const rests = () => expect.poll(findReaders).toEqual([]);
  const runs = () => expect.poll(findReaders).not.toEqual([]);
  const setVisible = (state: DocumentVisibilityState) =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await studio.source('Files').click();
  await studio.filePath.fill(film);
  await studio.previewed.waitFor();
  await runs();
  await setVisible('hidden');
  await rests();
  await studio.previewed.waitFor();
  await setVisible('visible');
  await runs();
  await page.setViewportSize({ width: 900, height: 250 });
  await page.getByRole('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
  await rests();
  await studio.previewed.scrollIntoViewIfNeeded();
  await runs();
});

test('a missing choice is reported at its field, and a browser explains that it cannot take dropped files', async () => {
  const { page } = ui;
  await studio.source('Camera').click();
  await studio.goLive.click();
  await page.getByText('Choose one, or choose another picture.').waitFor();
  await studio.source('Still picture').click();
  await studio.goLive.click();
  await page.getByText('Choose a picture, or type its path.').waitFor();
  expect(await studio.filePath.evaluate((field) => field === document.activeElement)).toBe(true);
  await dropFile(page);
  await page.getByText("Browsers don't reveal where a file is.").first().waitFor();
  // Where nothing takes files, too.
  const settings = await ui.openPage('#/settings');
  await settings.getByRole('heading', { name: 'Settings' }).first().waitFor();
  await dropFile(settings);
});

/** Drops a file onto a page, which must not leave for it. */
async function dropFile(page: Page): Promise<void> {
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'show.mp4'));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    if (document.body.dispatchEvent(drop)) throw new Error('the browser would leave the page for the file');
  });
}
