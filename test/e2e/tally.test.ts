import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { createStream } from '../support/create-stream.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
let ingestUrl: string;
let studioHash: string;

beforeAll(async () => {
  ui = await openBrowserUi({ prepare: (page) => page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' }) });
  const stream = await createStream(ui.host, { name: 'Seen from afar', profiles: [] });
  ingestUrl = `${ui.host.ready.ingestBaseUrl}/${stream.streamKey}`;
  studioHash = `#/studio/${stream.id}`;
});
beforeEach(async () => {
  await ui.renewPage(studioHash);
  studio = studioPage(ui.page);
  await studio.strip.waitFor();
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** The font size of an element, in pixels, and its background colour. */
const look = (selector: string) =>
  ui.page.locator(selector).evaluate((element) => {
    const { fontSize, backgroundColor } = getComputedStyle(element);
    return { pixels: Number.parseFloat(fontSize), backgroundColor };
  });

/** The position and size of Stop, in pixels. */
const findStop = () => studio.stop.boundingBox();

const red = 'rgb(200, 16, 46)';
const amber = 'rgb(242, 184, 75)';

test('on air the bar is red and large, Stop does not move in trouble, and without media the whole window turns amber', async () => {
  await using publisher = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  expect((await look('header')).backgroundColor).toBe(red);
  expect((await look('header [role="timer"]')).pixels).toBeGreaterThanOrEqual(28);
  const place = await findStop();

  await ui.page.keyboard.press('t');
  await ui.page.getByRole('heading', { name: 'Seen from afar: tally view' }).waitFor({ state: 'attached' });
  expect(await look('main')).toMatchObject({ backgroundColor: red });
  expect((await look('main [role="timer"]')).pixels).toBeGreaterThan(100);
  await expect.poll(() => ui.page.title()).toBe('On air — Seen from afar');
  expect(await findViolations(ui.page)).toEqual([]);

  publisher.pause();
  await ui.page.getByText('No signal', { exact: true }).waitFor();
  expect(await look('main')).toMatchObject({ backgroundColor: amber });
  await expect.poll(() => ui.page.getByRole('timer').textContent()).toMatch(/^\d+ s$/);
  await expect.poll(() => ui.page.title()).toBe('No signal — Seen from afar');
  expect(await findViolations(ui.page)).toEqual([]);

  await ui.page.keyboard.press('Escape');
  await studio.state('No signal').waitFor();
  expect((await look('header')).backgroundColor).toBe(amber);
  await expect.poll(() => ui.page.getByRole('navigation').getByText('No signal', { exact: true }).count()).toBe(1);
  expect(await findStop()).toEqual(place);

  await publisher.kill();
  await studio.state('Signal lost').waitFor();
  expect(await findStop()).toEqual(place);
  await ui.goTo('#/streams');
  await ui.page.getByRole('main').getByRole('row').getByText('Signal lost', { exact: true }).waitFor();
  await expect.poll(() => ui.page.getByRole('banner').getByText('Signal lost', { exact: true }).count()).toBe(1);
  await ui.page.goBack();
});

test('on a phone the name, the state and Stop are fully visible, the rail is at the bottom, and nothing overflows', async () => {
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await ui.page.setViewportSize({ width: 360, height: 740 });
  await studio.state('On air').waitFor();
  for (const part of [studio.stop, studio.state('On air'), studio.timer, ui.page.getByRole('heading', { level: 1 })]) {
    const box = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(360);
    const isCut = await part.evaluate(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth);
    expect(isCut).toBe(false);
  }
  const rail = await ui.page.getByRole('navigation', { name: 'Places' }).boundingBox();
  expect(rail).toEqual({ x: 0, y: 740 - 52, width: 360, height: 52 });
  const page = await ui.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  expect(page).toEqual([360, 740]);
  const phoneStudio = new URL(ui.page.url()).hash;
  await ui.goTo('#/streams');
  const row = ui.page.getByRole('main').getByRole('row').filter({ hasText: 'Seen from afar' });
  const name = row.getByRole('link', { name: 'Seen from afar' });
  await name.waitFor();
  expect(await name.evaluate((link) => link.scrollWidth > link.clientWidth || link.scrollHeight > link.clientHeight)).toBe(
    false,
  );
  const [nameCell, stateCell] = [await row.getByRole('rowheader').boundingBox(), await row.getByText('On air').boundingBox()];
  expect((nameCell?.x ?? 0) + (nameCell?.width ?? 999)).toBeLessThanOrEqual(stateCell?.x ?? 0);
  await ui.goTo(phoneStudio);
  await ui.page.setViewportSize({ width: 1440, height: 900 });
  expect(await ui.page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
  const studioHash = new URL(ui.page.url()).hash;
  await ui.goTo('#/settings');
  await ui.page.getByRole('button', { name: 'Create key' }).waitFor();
  expect(await ui.page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
  await ui.goTo(studioHash);
});

test('the tally view without a given stream picks one, and exits to Streams', async () => {
  await ui.goTo('#/tally');
  await ui.page.getByRole('heading', { name: /: tally view$/ }).waitFor({ state: 'attached' });
  await ui.page.getByRole('button', { name: 'Exit tally view' }).focus();
  await ui.page.keyboard.press('Enter');
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
});

test('the page raised no error and did not violate the Content-Security-Policy', () => {
  expect(ui.complaints).toEqual([]);
});
