import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

interface Noted {
  notifications: { title: string; tag: string; isClosed: boolean }[];
  alarms: number;
}

/** Allows notifications, and records each of them and each sound. */
async function noteAlerts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Noted = { notifications: [], alarms: 0 };
    class NotedNotification extends EventTarget {
      static readonly permission = 'granted';
      static readonly requestPermission = async () => 'granted';
      readonly #note: Noted['notifications'][number];
      constructor(title: string, { tag = '' }: NotificationOptions = {}) {
        super();
        this.#note = { title, tag, isClosed: false };
        noted.notifications.push(this.#note);
      }
      close() {
        this.#note.isClosed = true;
      }
    }
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (when?: number) {
      noted.alarms += 1;
      start.call(this, when);
    };
    Object.assign(window, { Notification: NotedNotification, noted });
  });
}

/** The alerts of a page so far. */
const readAlerts = (page: Page) => page.evaluate(() => (window as unknown as { noted: Noted }).noted);

/** Lets broadcasts wait 5 s for a lost encoder, and turns the sound on; leaves Settings open. */
async function prepareAlerts({ goTo, page }: BrowserUi): Promise<void> {
  await goTo('#/settings');
  await page.getByRole('textbox', { name: /^Reconnect window/ }).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Play a sound' }).check();
}

test('each lost broadcast causes its own notification and sound', async () => {
  await using ui = await openBrowserUi({ size: smallPage, prepare: noteAlerts });
  const { page } = ui;
  const { ingestUrl } = await ui.createStream({ name: 'Cut twice' });
  await prepareAlerts(ui);
  const studio = studioPage(page);
  const read = () => readAlerts(page);

  for (const count of [1, 2]) {
    await using publisher = startFfmpegPublisher(ingestUrl);
    await studio.state('On air').waitFor();
    await publisher.kill();
    await expect.poll(async () => (await read()).notifications.length, { timeout: 20_000 }).toBe(count);
    await expect.poll(async () => (await read()).alarms).toBe(count);
  }
  const { notifications } = await read();
  expect(notifications.map(({ title }) => title)).toEqual(Array(2).fill('Cut twice: broadcast lost'));
  // A notification with the tag of another would replace it silently.
  expect(new Set(notifications.map(({ tag }) => tag)).size).toBe(2);
});

test('viewers who get nothing new cause an alert that sounds in one page and is withdrawn when media is back', async () => {
  await using ui = await openBrowserUi({ size: smallPage, prepare: noteAlerts });
  const { page } = ui;
  const { ingestUrl } = await ui.createStream({ name: 'Frozen' });
  await prepareAlerts(ui);
  const other = await ui.openPage('#/streams', noteAlerts);
  // A browser lets no sound out of a page that nobody has touched.
  await other.getByRole('heading', { name: 'Streams', level: 1 }).click();
  // While a page opens, a publisher may be silent for so long that it is disconnected: then viewers wait for the next one.
  const { settings } = await ui.contract();
  await settings.update({ reconnectWindowSeconds: 75 });
  await using frozen = startFfmpegPublisher(ingestUrl);
  const state = (word: string) => studioPage(page).state(word);
  const pages = [page, other];
  const countAlarms = async () => {
    const alarms = await Promise.all(pages.map(async (each) => (await readAlerts(each)).alarms));
    return alarms.reduce((sum, count) => sum + count);
  };
  const told = async (from: Page) => (await readAlerts(from)).notifications.map(({ title, isClosed }) => [title, isClosed]);
  const interrupted = 'Frozen: no signal';

  await state('On air').waitFor();
  frozen.pause();
  for (const each of [page, other]) await expect.poll(() => told(each), { timeout: 15_000 }).toEqual([[interrupted, false]]);
  const late = await ui.openPage('#/streams', noteAlerts);
  await studioPage(late)
    .strip.getByText(/^(No signal|Signal lost)$/)
    .waitFor();
  pages.push(late);
  await frozen.kill();
  await using publisher = startFfmpegPublisher(ingestUrl);
  for (const each of [page, other]) await expect.poll(() => told(each)).toEqual([[interrupted, true]]);
  await expect.poll(countAlarms).toBe(1);

  await settings.update({ reconnectWindowSeconds: 5 });
  await state('On air').waitFor();
  publisher.pause();
  const second = [
    [interrupted, true],
    [interrupted, false],
  ];
  for (const each of [page, other]) await expect.poll(() => told(each), { timeout: 15_000 }).toEqual(second);
  await expect.poll(countAlarms).toBe(2);
  await publisher.kill();
  const ended = [
    [interrupted, true],
    [interrupted, true],
    ['Frozen: broadcast lost', false],
  ];
  for (const each of [page, other]) await expect.poll(() => told(each), { timeout: 15_000 }).toEqual(ended);
  await expect.poll(countAlarms).toBe(3);
  // It was opened in the middle of the first.
  await expect.poll(() => told(late)).toEqual(ended.slice(1));
  const tags = async (from: Page) => (await readAlerts(from)).notifications.map(({ tag }) => tag);
  expect(await tags(other)).toEqual(await tags(page));
  expect(new Set(await tags(page)).size).toBe(3);
});
