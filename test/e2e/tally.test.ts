import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { recordAnnouncements } from '../support/announcements.ts';
import { findViolations } from '../support/axe.ts';
import { type BrowserUi, goTo, openBrowserUi, readAddress } from '../support/browser-ui.ts';
import { contrastRatio } from '../support/contrast.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { holdPageSocket, type PageSocket, withoutWarnings } from '../support/page-socket.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let socket: PageSocket;

beforeAll(async () => {
  ui = await openBrowserUi();
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** Opens a page to which the pauses of a busy computer are no trouble. */
const openPage = (hash: string, media: Parameters<Page['emulateMedia']>[0] = {}) =>
  ui.openPage(hash, async (opened) => {
    await opened.emulateMedia(media);
    (await holdPageSocket(opened)).rewrite = withoutWarnings;
  });

/** A new stream, and its Studio in a page of its own. */
async function openStudio(name: string) {
  const { hash, ingestUrl } = await ui.createStream({ name });
  const page = await openPage(hash, { colorScheme: 'dark', reducedMotion: 'reduce' });
  const studio = studioPage(page);
  await studio.strip.waitFor();
  return { page, studio, publish: () => startFfmpegPublisher(ingestUrl) };
}

/** The font size of an element, in pixels, and its background colour. */
const look = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { fontSize, backgroundColor } = getComputedStyle(element);
    return { pixels: Number.parseFloat(fontSize), backgroundColor };
  });

/** What the bar shows of a lost signal until its seconds have changed twice, and what the list's row showed that differed. */
const readCounts = (page: Page) =>
  page.evaluate(async () => {
    const read = (place: string) => document.querySelector(`${place} [data-state="signal-lost"]`)?.textContent ?? '';
    const shown = new Set<string>();
    const differing: string[] = [];
    while (shown.size < 3) {
      await new Promise(requestAnimationFrame);
      const [inBar, inRow] = [read('header'), read('main td')];
      shown.add(inBar);
      if (inRow !== inBar) differing.push(`${inRow} below ${inBar}`);
    }
    return { shown: [...shown], differing };
  });

/** How much the focus ring of the button that leaves the tally view differs from its ground, in each theme. */
async function readRings(page: Page): Promise<number[]> {
  const leave = page.getByRole('button', { name: 'Exit tally view' });
  // The last key makes its ring visible.
  await leave.focus();
  const rings: number[] = [];
  for (const theme of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
    await page.emulateMedia(theme);
    const [ring, ground] = await leave.evaluate((button) => {
      const { outlineStyle, outlineColor } = getComputedStyle(button);
      const { backgroundColor } = getComputedStyle(document.querySelector('main') as Element);
      return [outlineStyle === 'none' ? backgroundColor : outlineColor, backgroundColor];
    });
    rings.push(contrastRatio(ring as string, ground as string));
  }
  await page.emulateMedia({ forcedColors: null });
  return rings;
}

/** WCAG 2.2, 1.4.11: what shows the state of a control. */
const atLeastThree = [3, 3, 3].map((least) => expect.toSatisfy((ratio: number) => ratio >= least));

const red = 'rgb(200, 16, 46)';
const amber = 'rgb(242, 184, 75)';

test('the tally view stays full screen while another stream becomes the most urgent one', async () => {
  const page = await ui.openPage('#/streams');
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await page.keyboard.press('t');
  await page.waitForFunction(() => document.fullscreenElement !== null);
  const { ingestUrl } = await ui.createStream({ name: 'Goes on air' });
  await using publisher = startFfmpegPublisher(ingestUrl);
  await page.getByRole('heading', { name: 'Goes on air: tally view' }).waitFor({ state: 'attached' });
  await page.getByText('On air', { exact: true }).waitFor();
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await publisher.quit();
  await page.keyboard.press('t');
  await page.waitForFunction(() => document.fullscreenElement === null);
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await page.close();
});

test('the tally view and the bar of other screens announce what they come to show, once, whichever stream it is of', async () => {
  const app = await ui.contract();
  const [first, second] = [await ui.createStream({ name: 'First' }), await ui.createStream({ name: 'Second' })];
  const [tally, settings] = [await openPage('#/tally'), await openPage('#/settings')];
  const bar = settings.getByRole('banner');
  await tally.getByText('Off air', { exact: true }).waitFor();
  await bar.getByText('Off air', { exact: true }).waitFor();
  const listeners = [await recordAnnouncements(tally), await recordAnnouncements(settings)];
  /** How often each page said what starts so, without what starts with one of `extra`, which a stall of the computer adds. */
  const countHeard = async (start: string, ...extra: string[]) => {
    const counts = listeners.map(async (heard) => {
      const said = await heard();
      const count = (words: string) => said.filter((sentence) => sentence.startsWith(words)).length;
      return count(start) - extra.reduce((sum, words) => sum + count(words), 0);
    });
    return Promise.all(counts);
  };
  /** First is on air again after each stall. */
  const countOnAir = () => countHeard('status: First: On air', 'status: First: No signal');

  await using firstPublisher = startFfmpegPublisher(first.ingestUrl);
  await expect.poll(countOnAir).toEqual([1, 1]);
  await using secondPublisher = startFfmpegPublisher(second.ingestUrl);
  await bar.getByText('and 1 more on air').waitFor();
  await secondPublisher.kill();
  await expect.poll(() => countHeard('status: Second: Signal lost')).toEqual([1, 1]);
  await expect.poll(() => countHeard('alert: Encoder lost.')).toEqual([1, 1]);
  // Who comes back hears nothing of it again.
  await goTo(settings, first.hash);
  await studioPage(settings).seePicture();
  await goTo(settings, '#/settings');
  await bar.getByText('Signal lost', { exact: true }).waitFor();
  await settings.waitForTimeout(1_000);
  await app.broadcast.stop({ streamId: second.id });
  await expect.poll(countOnAir).toEqual([2, 2]);
  await firstPublisher.quit();
  await expect.poll(() => countHeard('status: Tallylight: Off air')).toEqual([1, 1]);
  expect(await countHeard('status: Second: Signal lost')).toEqual([1, 1]);
  const ofStalls = ['alert: No media arriving.', 'alert: Your monitor ', 'alert: A monitor '];
  expect(await countHeard('alert: ', ...ofStalls)).toEqual([1, 1]);
  await Promise.all([tally.close(), settings.close()]);
});

test('of two streams on air, the one whose viewers have trouble is marked everywhere, and shown where there is room for one', async () => {
  const app = await ui.contract();
  // The newest comes first while both are well.
  const [badly, well] = [await ui.createStream({ name: 'In trouble' }), await ui.createStream({ name: 'All well' })];
  await using first = startFfmpegPublisher(well.ingestUrl);
  await using second = startFfmpegPublisher(badly.ingestUrl);
  const [list, tally] = [await openPage('#/streams'), await openPage('#/tally')];
  const rows = list.getByRole('main').getByRole('row');
  const rail = list.getByRole('navigation', { name: 'Screens' });
  await rows.filter({ hasText: 'All well' }).getByText('On air', { exact: true }).waitFor();
  await rows.filter({ hasText: 'In trouble' }).getByText('On air', { exact: true }).waitFor();
  expect(await list.getByText('in trouble', { exact: true }).count()).toBe(0);

  const report = { state: 'failed', stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 0 } as const;
  const reporting = setInterval(() => void app.playback.report({ streamId: badly.id, pageId: 'a monitor', report }), 500);
  onTestFinished(() => clearInterval(reporting));
  await rows.filter({ hasText: 'In trouble' }).getByText('in trouble', { exact: true }).waitFor();
  await rail.getByRole('link', { name: 'In trouble On air, in trouble' }).waitFor();
  await list.getByRole('banner').getByText('In trouble', { exact: true }).waitFor();
  await expect.poll(async () => (await look(list, 'header')).backgroundColor).toBe(amber);
  await tally.getByRole('heading', { name: 'In trouble: tally view' }).waitFor({ state: 'attached' });
  // It may have shown this stream before, if that was on air first.
  await expect.poll(() => tally.locator('main').getAttribute('data-warned')).toBe('true');
  await expect.poll(() => rows.filter({ hasText: 'All well' }).getByText('in trouble', { exact: true }).count()).toBe(0);
  await rail.getByRole('link', { name: 'All well On air', exact: true }).waitFor();
  expect(await findViolations(list)).toEqual([]);

  clearInterval(reporting);
  await app.playback.report({ streamId: badly.id, pageId: 'a monitor', report: { ...report, state: 'closed' } });
  await expect.poll(() => list.getByText('in trouble', { exact: true }).count()).toBe(0);
  await expect.poll(async () => (await look(list, 'header')).backgroundColor).toBe(red);
  await Promise.all([list.close(), tally.close(), first.quit(), second.quit()]);
});

test('on air the bar is red and large, Stop does not move in trouble, and without media the whole window turns amber', async () => {
  const { page, studio, publish } = await openStudio('Seen from afar');
  await using publisher = publish();
  await studio.state('On air').waitFor();
  expect((await look(page, 'header')).backgroundColor).toBe(red);
  expect((await look(page, 'header [role="timer"]')).pixels).toBeGreaterThanOrEqual(28);
  const place = await studio.stop.boundingBox();

  const openTally = async () => {
    await page.keyboard.press('t');
    await page.getByRole('heading', { name: 'Seen from afar: tally view' }).waitFor({ state: 'attached' });
  };
  await openTally();
  expect(await look(page, 'main')).toMatchObject({ backgroundColor: red });
  expect((await look(page, 'main [role="timer"]')).pixels).toBeGreaterThan(100);
  expect(await readRings(page)).toEqual(atLeastThree);
  await expect.poll(() => page.title()).toBe('On air — Seen from afar');
  expect(await findViolations(page)).toEqual([]);

  /** For up to 10 s from when it falls silent: the publisher is disconnected then. */
  const loseSignal = async () => {
    publisher.resume();
    await page.getByText('On air', { exact: true }).waitFor();
    publisher.pause();
    await page.getByText('No signal', { exact: true }).waitFor();
  };
  await loseSignal();
  expect(await look(page, 'main')).toMatchObject({ backgroundColor: amber });
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^\d+\ss$/);
  await expect.poll(() => page.title()).toBe('No signal — Seen from afar');
  await loseSignal();
  expect(await readRings(page)).toEqual(atLeastThree);
  await loseSignal();
  await page.keyboard.press('Escape');
  await studio.state('No signal').waitFor();
  expect((await look(page, 'header')).backgroundColor).toBe(amber);
  await expect.poll(() => page.getByRole('navigation').getByText('No signal', { exact: true }).count()).toBe(1);
  expect(await studio.stop.boundingBox()).toEqual(place);

  // Last: it takes long on a busy computer, and a silent publisher is disconnected after 10 s.
  await openTally();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await publisher.kill();
  await studio.state('Signal lost').waitFor();
  expect(await studio.stop.boundingBox()).toEqual(place);
  // The rail has room for both, one below the other.
  const inRail = page.getByRole('navigation').getByText('Seen from afar', { exact: true });
  expect(await inRail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false);
  await goTo(page, '#/streams');
  await page.getByRole('main').getByRole('row').getByText('Signal lost', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('banner').getByText('Signal lost', { exact: true }).count()).toBe(1);
  const { shown, differing } = await readCounts(page);
  expect([shown.length, differing]).toEqual([3, []]);
  await page.close();
});

test('on a phone the name, the state and Stop are fully visible, the rail is at the bottom, and nothing overflows', async () => {
  const { page, studio, publish } = await openStudio('Seen on a phone');
  await page.setViewportSize({ width: 360, height: 740 });
  await using publisher = publish();
  await studio.state('On air').waitFor();
  for (const part of [studio.stop, studio.state('On air'), studio.timer, page.getByRole('heading', { level: 1 })]) {
    const box = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(360);
    const isCut = await part.evaluate(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth);
    expect(isCut).toBe(false);
  }
  const rail = await page.getByRole('navigation', { name: 'Screens' }).boundingBox();
  expect(rail).toEqual({ x: 0, y: 740 - 52, width: 360, height: 52 });
  const size = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  expect(size).toEqual([360, 740]);
  // Where scrollbars take room, they would leave none for the links.
  const scrollbars = await page
    .getByRole('navigation', { name: 'Screens' })
    .evaluate((nav) => [nav, ...nav.querySelectorAll('ul')].map((part) => getComputedStyle(part).scrollbarWidth));
  expect(scrollbars).toEqual(['none', 'none']);
  // The rail scrolls to the open stream, which has the other screens beside it.
  const studioHash = (await readAddress(page)).hash;
  await Promise.all(Array.from({ length: 8 }, (_, index) => ui.createStream({ name: `Later ${index}` })));
  await page.reload();
  const open = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Seen on a phone/ });
  const { x } = (await page.getByRole('link', { name: 'New stream' }).boundingBox()) ?? { x: 0 };
  await expect.poll(() => open.evaluate((link) => link.getBoundingClientRect().right)).toBeLessThanOrEqual(x);
  await goTo(page, '#/streams');
  const row = page.getByRole('main').getByRole('row').filter({ hasText: 'Seen on a phone' });
  const name = row.getByRole('link', { name: 'Seen on a phone' });
  await name.waitFor();
  expect(await name.evaluate((link) => link.scrollWidth > link.clientWidth || link.scrollHeight > link.clientHeight)).toBe(
    false,
  );
  const [nameCell, stateCell] = [await row.getByRole('rowheader').boundingBox(), await row.getByText('On air').boundingBox()];
  expect((nameCell?.x ?? 0) + (nameCell?.width ?? 999)).toBeLessThanOrEqual(stateCell?.x ?? 0);
  await goTo(page, studioHash);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
  await goTo(page, '#/settings');
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
  await publisher.quit();
  await page.close();
});

test('the tally view without a given stream picks one, and exits to Streams', async () => {
  await ui.goTo('#/tally');
  await ui.page.getByRole('heading', { name: /: tally view$/ }).waitFor({ state: 'attached' });
  await ui.page.getByRole('button', { name: 'Exit tally view' }).focus();
  await ui.page.keyboard.press('Enter');
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
});

test('the tally view announces a lost service and its return, and leaving or entering it announces neither', async () => {
  const page = await ui.openPage('#/streams', async (opened) => {
    socket = await holdPageSocket(opened);
  });
  const streams = page.getByRole('heading', { name: 'Streams', level: 1 });
  await streams.waitFor();
  const announcements = await recordAnnouncements(page);
  const heard = async () => (await announcements()).filter((sentence) => sentence.includes('service'));
  const tally = page.getByRole('heading', { name: /: tally view$/ });
  await page.keyboard.press('t');
  await tally.waitFor({ state: 'attached' });
  const [lost, back] = ['status: Lost connection to the service, reconnecting', 'status: The service is back'];
  await socket.lose();
  await expect.poll(heard).toEqual([lost]);
  await page.keyboard.press('t');
  await streams.waitFor();
  await page.keyboard.press('t');
  await tally.waitFor({ state: 'attached' });
  socket.isOpen = true;
  await expect.poll(heard).toEqual([lost, back]);
  await page.close();
});

test('over the full-screen tally view, ? shows the shortcuts, which keep T to themselves until they are closed', async () => {
  const { page, studio } = await openStudio('Asked from afar');
  await page.keyboard.press('t');
  const tally = page.getByRole('heading', { name: 'Asked from afar: tally view' });
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByText('Tally view: just the state and the time').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('t');
  await shortcuts.getByRole('button', { name: 'Close' }).click();
  await shortcuts.waitFor({ state: 'detached' });
  expect([await tally.count(), await page.evaluate(() => document.fullscreenElement !== null)]).toEqual([1, true]);
  await page.keyboard.press('t');
  await studio.strip.waitFor();
  await page.waitForFunction(() => document.fullscreenElement === null);
  await page.close();
});

test('the page raised no error and did not violate the Content-Security-Policy', () => {
  expect(ui.complaints).toEqual([]);
});

test('the tally of a stream that was deleted says that it is gone, not that it is off air', async () => {
  const { id } = await ui.createStream({ name: 'Gone soon' });
  const page = await ui.openPage(`#/tally/${id}`);
  await page.getByText('Off air').first().waitFor();
  const app = await ui.contract();
  await app.stream.delete({ streamId: id });
  await page.getByText('Stream not found').first().waitFor();
  await page.close();
});

test('in the tally view the longest words stay clear of the edges, on a phone and on a large screen', async () => {
  const page = await ui.openPage('#/tally/nothing', async (opened) => {
    socket = await holdPageSocket(opened);
  });
  const word = (text: string) => page.locator('main [data-size="huge"]').filter({ hasText: text });
  const expectClear = async (text: string) => {
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      const { x, width: taken } = (await word(text).boundingBox()) ?? { x: 0, width: 0 };
      const margin = width * 0.04;
      expect([text, width, x >= margin, x + taken <= width - margin]).toEqual([text, width, true, true]);
    }
  };
  await word('Stream not found').waitFor();
  await expectClear('Stream not found');
  await socket.lose();
  await word('No contact').waitFor();
  await expectClear('No contact');
  await page.close();
});

test('with the spacing that readers may give to text (WCAG 1.4.12), the tally view cuts nothing off', async () => {
  const { id } = await ui.createStream({ name: 'Spaced out' });
  const page = await ui.openPage(`#/tally/${id}`);
  const state = page.locator('main [data-size="huge"]');
  await state.waitFor();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important } p { margin-bottom: 2em !important }',
    );
    document.adoptedStyleSheets = [sheet];
  });
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const part of [state, page.locator('main [role="timer"]')]) {
      const box = (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
      expect([width, box.y >= 0, box.y + box.height <= height]).toEqual([width, true, true]);
    }
  }
  await page.close();
});
