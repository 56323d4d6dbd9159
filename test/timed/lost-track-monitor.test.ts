import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { launchChromium } from '../support/chromium.ts';
import { clockSeconds, makeClockSource } from '../support/clock-picture.ts';
import { describePlay, describeView, expectedPlay } from '../support/lossy-play.ts';
import { startLossyPublisher } from '../support/lossy-publisher.ts';
import { studioPage } from '../support/studio-page.ts';
import { openWatchedPlayer, playerWays, readShown, watchVideo } from '../support/watched-player.ts';

const profiles = [{ name: 'Small', bitrate: 150_000, fps: 0, width: 228, height: 128 }];
/** Nothing runs beside it: hls.js with low latency that is late when the video is back freezes for good (docs/architecture.md). */
const hlsWays = playerWays.filter(({ script }) => script !== 'shaka-player');

let ui: BrowserUi;
let browser: Browser;
let source: FlvTag[];
beforeAll(async () => {
  [ui, browser, source] = await Promise.all([openBrowserUi({ size: smallPage }), launchChromium(), makeClockSource()]);
});
afterAll(async () => {
  await Promise.all([ui[Symbol.asyncDispose](), browser.close()]);
});

/** Starts counting how often the video gets new media, as it does when a failed player is replaced. */
const countReplacements = () =>
  ui.page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement;
    video.dataset.replacements = '0';
    video.addEventListener('emptied', () => {
      video.dataset.replacements = String(Number(video.dataset.replacements) + 1);
    });
  });

test('the monitor on the source and hls.js on a rendition keep playing without audio and without video', async () => {
  await using stack = new AsyncDisposableStack();
  const players = await Promise.all(hlsWays.map(async (way) => stack.use(await openWatchedPlayer(browser, way))));
  const { hash, streamKey, playbackId } = await ui.createStream({ name: 'Lossy', profiles });
  const studio = studioPage(ui.page);
  await ui.goTo(hash);
  const port = Number(new URL(ui.host.ready.ingestBaseUrl).port);
  const publisher = stack.use(startLossyPublisher({ port, streamKey }, source, clockSeconds));
  await studio.openDetails();
  const renditions = studio.health.getByRole('region', { name: 'Renditions' }).getByRole('listitem');
  await renditions.filter({ hasText: 'Running' }).waitFor();
  await studio.seePicture();
  await studio.quality.click();
  await ui.page.getByRole('menuitemradio', { name: /^Source / }).click();
  await studio.seePicture();
  await countReplacements();
  await watchVideo(ui.page);
  const url = `${ui.host.ready.playbackBaseUrl}/${playbackId}/small/index.m3u8`;
  await Promise.all(players.map((player) => player.play(url)));

  // Silence stands in for audio after 1 s, a held picture for video after 2.5 s (decision 0007).
  await publisher.loseFor('audio', 3);
  await publisher.goOn(3);
  await publisher.loseFor('video', 5);
  await publisher.goOn(2);
  const back = publisher.lost.at(-1)?.toSeconds ?? Number.NaN;
  const viewOfMonitor = async () => describeView(await readShown(ui.page), { seconds: back, lost: publisher.lost });
  await expect.poll(async () => (await viewOfMonitor()).lastSecond, { timeout: 30_000 }).toBeGreaterThan(back);
  expect(await viewOfMonitor()).toEqual({ lastSecond: expect.any(Number), wrongSeconds: [], hasTone: true });
  await expect.poll(() => ui.page.locator('video').getAttribute('data-replacements')).toBe('0');

  const seconds = await publisher.end();
  await Promise.all(players.map((player) => player.over()));
  const broadcast = { seconds, lost: publisher.lost };
  const plays = await Promise.all(players.map((player) => describePlay(player, broadcast)));
  expect(plays).toEqual(hlsWays.map((way) => expectedPlay(way, broadcast)));
  expect(ui.complaints).toEqual([]);
}, 150_000);
