import { expect, test } from 'vitest';
import { openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

/** Runs in the page before its own code: while `isBroken`, whatever shows a time of day fails. */
function breakTimes(): void {
  const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') ?? {};
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    get(this: Intl.DateTimeFormat) {
      if ('isBroken' in window) throw new RangeError('Invalid time value');
      return get?.call(this);
    },
  });
}

test('a screen that fails says so and returns by itself, and the rest of the window stays', async () => {
  await using ui = await openBrowserUi({
    size: smallPage,
    prepare: async (page) => void (await page.addInitScript(breakTimes)),
  });
  const { page } = ui;
  const { hash, ingestUrl } = await ui.createStream({ name: 'Show' });
  await ui.goTo(hash);
  const studio = studioPage(page);
  await using publisher = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();

  const failed = page.getByRole('alert').filter({ hasText: "Can't show this screen" });
  await page.evaluate(() => Object.assign(window, { isBroken: true }));
  await publisher.kill();
  await failed.waitFor();
  // What is on air isn't known from a screen that has failed.
  expect(await page.title()).toBe("Can't show this screen · Tallylight");
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(await failed.count()).toBe(0);
  await ui.goTo(hash);
  await failed.waitFor();

  await page.evaluate(() => Reflect.deleteProperty(window, 'isBroken'));
  await studio.state('Signal lost').waitFor();
  expect(await failed.count()).toBe(0);
  expect(ui.complaints.filter((complaint) => !complaint.includes('Invalid time value'))).toEqual([]);
});

/** Runs in the page before its own code: while `isBroken`, whatever has a tone fails, as the tally view. */
function breakTones(): void {
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'data-tone' && 'isBroken' in window) throw new RangeError('Invalid tone');
    setAttribute.call(this, name, value);
  };
}

test('a lost broadcast is announced although the tally view fails', async () => {
  await using ui = await openBrowserUi({
    size: smallPage,
    prepare: async (page) => void (await page.addInitScript(breakTones)),
  });
  const { page } = ui;
  await (await ui.contract()).settings.update({ reconnectWindowSeconds: 5 });
  const { id, ingestUrl } = await ui.createStream({ name: 'Show' });
  await ui.goTo(`#/tally/${id}`);
  await using publisher = startFfmpegPublisher(ingestUrl);
  await page.getByText('On air', { exact: true }).waitFor();

  await page.evaluate(() => Object.assign(window, { isBroken: true }));
  await publisher.kill();
  await page.getByText("Can't show this screen").waitFor();
  await page.getByRole('alert').filter({ hasText: 'Show: broadcast lost' }).waitFor({ state: 'attached', timeout: 20_000 });
  expect(await page.getByText("Can't show this screen").count()).toBe(1);
});
