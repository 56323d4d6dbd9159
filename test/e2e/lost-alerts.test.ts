import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

interface Noted {
  notifications: { title: string; tag: string }[];
  alarms: number;
}

/** Allows notifications, and records each of them and each sound. */
async function noteAlerts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: Noted = { notifications: [], alarms: 0 };
    class NotedNotification extends EventTarget {
      static readonly permission = 'granted';
      static readonly requestPermission = async () => 'granted';
      constructor(title: string, { tag = '' }: NotificationOptions = {}) {
        super();
        noted.notifications.push({ title, tag });
      }
      close() {}
    }
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (when?: number) {
      noted.alarms += 1;
      start.call(this, when);
    };
    Object.assign(window, { Notification: NotedNotification, noted });
  });
}

test('each lost broadcast causes its own notification and sound', async () => {
  await using ui = await openBrowserUi({ size: smallPage, prepare: noteAlerts });
  const { page } = ui;
  const { ingestUrl } = await ui.createStream({ name: 'Cut twice' });
  await ui.goTo('#/settings');
  await page.getByRole('textbox', { name: /^Reconnect window/ }).fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Play a sound' }).check();
  const studio = studioPage(page);
  const read = () => page.evaluate(() => (window as unknown as { noted: Noted }).noted);

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
