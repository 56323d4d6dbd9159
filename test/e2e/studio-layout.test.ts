import type { Locator } from 'playwright-core';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { encodePresets } from '../../src/shared/model/encode-settings.ts';
import type { ServiceNotice } from '../../src/shared/model/service-notice.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { describeNotice } from '../../src/shared/words/notice-words.ts';
import { type BrowserUi, smallPage } from '../support/browser-ui.ts';
import { contrastRatio } from '../support/contrast.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { lightEncode } from '../support/light-encode.ts';
import { changeLive, holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

const name = 'A show with a name of some length';
const longName = 'Long '.repeat(40).trim();

let ui: BrowserUi;
let socket: PageSocket;
let studio: ReturnType<typeof studioPage>;
let studioHash: string;
let publisher: ReturnType<typeof startFfmpegPublisher>;

shareBrowserUi(
  {
    prepare: async (page) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      socket = await holdPageSocket(page);
    },
  },
  async (opened) => {
    ui = opened;
    await ui.createStream({ name: longName });
    const { hash, ingestUrl } = await ui.createStream({ name });
    publisher = startFfmpegPublisher(ingestUrl);
    studioHash = hash;
  },
);
beforeEach(async () => {
  await ui.renewPage(studioHash);
  studio = studioPage(ui.page);
  await studio.seePicture();
});
afterAll(async () => {
  await publisher.kill();
});

const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };

test('no banner and no notice moves Stop', async () => {
  const place = await boxOf(studio.stop);
  await socket.lose();
  const banner = ui.page.getByText('Lost connection to the service, reconnecting…');
  await banner.waitFor();
  expect(await boxOf(studio.stop)).toEqual(place);

  const longest: ServiceNotice = { code: 'key-replaced', streamName: 'Long '.repeat(80).trim() };
  const notice = describeNotice(longest);
  socket.rewrite = (message) => message.replace('"notices":[', `"notices":[${JSON.stringify(longest)}`);
  socket.isOpen = true;
  await banner.waitFor({ state: 'detached' });
  await ui.page.getByText(notice).waitFor();
  await ui.goTo('#/settings');
  await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await expect.poll(() => ui.page.getByText(notice).count()).toBe(1);
  await ui.goTo(studioHash);
  await ui.page.getByText(notice).waitFor();
  expect(await boxOf(studio.stop)).toEqual(place);
  await ui.page.getByRole('button', { name: 'Dismiss' }).click();
  await ui.page.getByText(notice).waitFor({ state: 'detached' });
  socket.rewrite = (message) => message;
  expect(await boxOf(studio.stop)).toEqual(place);
});

test('a dismissed notice of replaced keys does not return because one of their streams was deleted', async () => {
  const tellReplaced = async (streams: number) => {
    await socket.lose();
    socket.rewrite = (message) =>
      message.replace('"notices":[', `"notices":[${JSON.stringify({ code: 'keys-replaced', streams })}`);
    const heard = socket.heard.length;
    socket.isOpen = true;
    await expect.poll(() => socket.heard.slice(heard).some((message) => message.includes('"notices":['))).toBe(true);
  };
  await tellReplaced(3);
  await ui.page.getByRole('button', { name: 'Dismiss' }).click();
  await tellReplaced(2);
  await ui.goTo('#/settings');
  await ui.page.getByText('2 streams have new stream keys').waitFor();
  await ui.goTo(studioHash);
  await studio.stop.waitFor();
  expect(await ui.page.getByText('streams have new stream keys').count()).toBe(0);
});

test('the verdict is in sight and readable from two metres, beside the monitor and in a small window below it', async () => {
  // Two pauses of a busy computer would be a warning for a minute, longer than any wait.
  socket.rewrite = changeLive({ verdict: { code: 'good', severity: 'good' } });
  const verdict = ui.page.getByText('All good', { exact: true }).filter({ visible: true }).first();
  for (const size of [
    { width: 1440, height: 900 },
    { width: 900, height: 600 },
  ]) {
    await ui.page.setViewportSize(size);
    await verdict.waitFor();
    const { y, height } = await boxOf(verdict);
    expect(y >= 0 && y + height <= size.height).toBe(true);
    expect(await verdict.evaluate((part) => Number.parseFloat(getComputedStyle(part).fontSize))).toBeGreaterThanOrEqual(24);
  }
  await ui.page.setViewportSize({ width: 1440, height: 900 });
});

test('a number that is not good has a named icon beside its colour, at the size of the figure', async () => {
  // Measured in the future, it doesn't get old.
  const measuredAt = Date.now() + 600_000;
  socket.rewrite = changeLive({
    meters: { measuredAt, bitrateBps: 2_000_000, droppedFrames: { count: 180, ratio: 0.1 } },
    verdict: { code: 'frames-missing', severity: 'bad', fps: 20, nominalFps: 30, from: 'encoder' },
  });
  const dropped = studio.fact('Dropped frames');
  const icon = dropped.getByRole('img', { name: 'Problem' });
  await icon.waitFor();
  expect(await dropped.textContent()).toBe('10 % · 180 in a minute');
  expect(await studio.fact('Bitrate').getByRole('img').count()).toBe(0);
  const [mark, figure] = [await boxOf(icon), await boxOf(dropped)];
  expect([mark.y >= figure.y, mark.y + mark.height <= figure.y + figure.height]).toEqual([true, true]);
});

test('while a broadcast to another region reconnects, its last numbers stay, with their age', async () => {
  const { ingestBaseUrl, playbackBaseUrl } = ui.host.ready;
  const failure = { code: 'closed', during: 'sending' } as const;
  const sent = { source: testSource, encode: lightEncode, settings: encodePresets['1080p60'], since: 0, away: [] };
  socket.rewrite = changeLive({
    region: { code: 'jfk', isOwn: false, ingest: ingestBaseUrl, playback: playbackBaseUrl },
    oneClick: { kind: 'retrying', ...sent, attempt: 2, retryAt: 0, failure },
    meters: {
      measuredAt: Date.now() - 60_000,
      bitrateBps: 1_400_000,
      targetBitrateBps: 6_160_000,
      droppedFrames: { count: 180, ratio: 0.1 },
    },
  });
  await studio.health.getByText(/^Last measured 1\smin ago$/).waitFor();
  expect(await studio.fact('Bitrate').textContent()).toBe('1\u202f400 of 6\u202f160\u00a0kbit/s');
  expect(await studio.fact('Dropped frames').getByRole('img').count()).toBe(0);
});

test('at 200 % zoom the name, the state and Stop are fully visible, nothing overflows, and everything can be reached', async () => {
  // A window of 1440 × 900 then has half as many CSS pixels.
  await ui.page.setViewportSize({ width: 720, height: 450 });
  for (const part of [studio.stop, studio.state('On air'), studio.timer, ui.page.getByRole('heading', { level: 1 })]) {
    const { x, y, width, height } = await boxOf(part);
    expect([x >= 0, y >= 0, x + width <= 720, y + height <= 450]).toEqual([true, true, true, true]);
    const isCut = await part.evaluate(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth);
    expect(isCut).toBe(false);
  }
  const page = await ui.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  expect(page).toEqual([720, 450]);
  const happened = studio.health.getByRole('heading', { name: 'What happened' });
  // What happened may be long.
  expect((await boxOf(studio.health.getByRole('button', { name: 'Details' }))).y).toBeLessThan((await boxOf(happened)).y);
  for (const part of [happened, studio.copy('playback URL')]) {
    await part.scrollIntoViewIfNeeded();
    const { x, y, width } = await boxOf(part);
    expect([x >= 0, y >= 0, x + width <= 720, y < 450]).toEqual([true, true, true, true]);
  }
  await ui.page.setViewportSize({ width: 1440, height: 900 });
});

test('with forced colours the state is legible, and the on-air bar stands out from the page', async () => {
  await ui.page.emulateMedia({ forcedColors: 'active' });
  const seen = await ui.page.evaluate(() => {
    const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
    return {
      bar: style('header').backgroundColor,
      state: style('header [data-tone="live"] > span:last-of-type').color,
      timer: style('header [role="timer"]').color,
      lamp: style('header [data-tone="live"] > [aria-hidden]').backgroundColor,
      canvas:
        style('main').backgroundColor === 'rgba(0, 0, 0, 0)' ? style('body').backgroundColor : style('main').backgroundColor,
      rail: style('nav').backgroundColor,
      railLamp: style('nav [data-tone="live"]').backgroundColor,
    };
  });
  await ui.page.emulateMedia({ forcedColors: null });
  expect(contrastRatio(seen.state, seen.bar)).toBeGreaterThanOrEqual(4.5);
  expect(contrastRatio(seen.timer, seen.bar)).toBeGreaterThanOrEqual(4.5);
  expect(contrastRatio(seen.lamp, seen.bar)).toBeGreaterThanOrEqual(3);
  expect(contrastRatio(seen.railLamp, seen.rail)).toBeGreaterThanOrEqual(3);
  expect(seen.bar).not.toBe(seen.canvas);
});

test('a tooltip of any length is small, inside the window, and transparent to the pointer', async () => {
  await ui.goTo('#/streams');
  const more = ui.page.getByRole('button', { name: `More about ${longName}` });
  await more.hover();
  const tip = ui.page.locator('#popups').getByText(`More about ${longName}`, { exact: true });
  await tip.waitFor();
  const { x, y, width, height } = await boxOf(tip);
  expect(width).toBeLessThanOrEqual(280);
  expect(height).toBeLessThanOrEqual(3 * 16);
  expect([x >= 0, y >= 0, x + width <= 1440, y + height <= 900]).toEqual([true, true, true, true]);
  const isUnderPointer = await ui.page.evaluate(
    ([left, top]) => document.elementFromPoint(left as number, top as number)?.closest('#popups') !== null,
    [x + width / 2, y + height / 2],
  );
  expect(isUnderPointer).toBe(false);
});

test('in a small window, why a new source was refused comes into sight', async () => {
  const app = await ui.contract();
  const { id, hash } = await ui.createStream({ name: 'Refused' });
  await app.broadcast.goLive({ streamId: id, source: testSource, encode: lightEncode });
  onTestFinished(async () => {
    await app.broadcast.stop({ streamId: id });
  });
  await ui.page.setViewportSize(smallPage);
  await ui.goTo(hash);
  await ui.page.getByRole('button', { name: 'Change source' }).click();
  const dialog = ui.page.getByRole('dialog', { name: 'Change source' });
  await dialog.getByRole('radio', { name: 'Still picture' }).click();
  await dialog.getByRole('textbox', { name: 'File path' }).fill('/nowhere/at-all.png');
  await dialog.getByRole('button', { name: 'Use this source' }).click();
  const refusal = dialog.getByRole('alert').getByText('There is no file /nowhere/at-all.png.');
  await refusal.waitFor();
  const foot = await boxOf(dialog.getByRole('button', { name: 'Cancel' }));
  await expect.poll(async () => (await boxOf(refusal)).y + (await boxOf(refusal)).height).toBeLessThanOrEqual(foot.y);
});
