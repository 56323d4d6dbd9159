import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { type HidablePage, openHidablePage } from '../support/hidable-page.ts';
import { createStream, openHostContract } from '../support/host-contract.ts';
import { studioPage } from '../support/studio-page.ts';

/** The type of oRPC's message that ends a call. */
const abortType = 4;
/** Longer than a monitor plays on for nobody. */
const unwatchedMs = 8_000;

let host: TestHost;
let publisher: ReturnType<typeof startFfmpegPublisher>;
let screen: HidablePage;
let studioUrl: string;
let offAirUrl: string;
let requests: string[] = [];
/** The messages that bring levels of the sound. */
let levels: unknown[] = [];
/** What the page has asked the service on its newest socket: a page that is loaded again gives the same ids once more. */
let asked: string[] = [];
/** The ids of the calls that the service has answered there. */
let answered = new Set<string>();

beforeAll(async () => {
  host = await startTestHost();
  screen = await openHidablePage();
  const { page } = screen;
  await page.setViewportSize(smallPage);
  page.on('request', (request) => {
    if (request.url().includes('/hls/')) requests.push(request.url());
  });
  page.on('websocket', (socket) => {
    const [said, heard] = [[] as string[], new Set<string>()];
    [asked, answered] = [said, heard];
    socket.on('framereceived', ({ payload }) => {
      if (payload.includes('truePeaksDbtp')) levels.push(payload);
      heard.add(readMessage(String(payload)).i);
    });
    socket.on('framesent', ({ payload }) => said.push(String(payload)));
  });
  await page.goto(host.ready.uiUrl);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const { uiUrl } = await host.getEvent('ui-url');
  using contract = await openHostContract(String(uiUrl));
  const profiles = [{ name: 'Small', bitrate: 120_000, fps: 0, width: 228, height: 128 }];
  const { id, streamKey } = await createStream(contract.app, { name: 'Hidden', profiles });
  publisher = startFfmpegPublisher(`${host.ready.ingestBaseUrl}/${streamKey}`);
  const urlOf = (streamId: string) => `${new URL(host.ready.uiUrl).origin}/#/studio/${streamId}`;
  studioUrl = urlOf(id);
  const offAir = await createStream(contract.app, { name: 'Off air' });
  offAirUrl = urlOf(offAir.id);
});
afterAll(async () => {
  await publisher?.kill();
  await screen?.[Symbol.asyncDispose]();
  await host?.close();
});

beforeEach(async () => {
  const { page } = screen;
  await screen.setHidden(false);
  await page.goto(studioUrl);
  await page.reload();
  await studioPage(page).seePicture();
});

/** The states of the monitor's players: the large one, then the wall's tiles. */
const readStates = () => screen.page.locator('video').evaluateAll((videos) => videos.map(({ dataset }) => dataset.state));
const isPaused = () => screen.page.locator('video').evaluate((video) => (video as HTMLVideoElement).paused);
const readSeconds = () => screen.page.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime);

/** The requests for playlists and media made during `unwatchedMs`. */
async function listRequests(): Promise<readonly string[]> {
  requests = [];
  await screen.page.waitForTimeout(unwatchedMs);
  return requests;
}

test('while their page is hidden, the muted monitor and its wall request nothing, also after a reload; seen again, they play', async () => {
  const { page, setHidden } = screen;
  const { monitor, latency, seePicture, wall } = studioPage(page);
  await monitor.getByRole('button', { name: 'Show source and renditions at once' }).click();
  await wall.locator('video[data-state="playing"]').nth(1).waitFor();
  await setHidden(true);
  await expect.poll(readStates).toEqual(['unwatched', 'unwatched', 'unwatched']);
  expect(await listRequests()).toEqual([]);
  await setHidden(false);
  await expect.poll(readStates).toEqual(['playing', 'playing', 'playing']);

  await setHidden(true);
  await page.reload();
  await expect.poll(readStates).toEqual(['unwatched']);
  expect(await listRequests()).toEqual([]);
  await setHidden(false);
  await seePicture();
  await latency.waitFor();
});

test('a hidden monitor that is heard plays on', async () => {
  const { page, setHidden } = screen;
  await studioPage(page).monitor.getByRole('button', { name: 'Unmute' }).click();
  await setHidden(true);
  await page.waitForTimeout(unwatchedMs);
  const since = await readSeconds();
  expect(await listRequests()).not.toEqual([]);
  expect([await readStates(), (await readSeconds()) > since]).toEqual([['playing'], true]);
});

test('a hidden monitor that is heard and whose viewer has paused it requests nothing, and plays from there once asked', async () => {
  const { page, setHidden } = screen;
  const { monitor } = studioPage(page);
  await monitor.getByRole('button', { name: 'Unmute' }).click();
  await monitor.getByRole('button', { name: 'Pause' }).click();
  await setHidden(true);
  const pausedAt = await readSeconds();
  // A request may be under way.
  await page.waitForTimeout(1_000);
  expect(await listRequests()).toEqual([]);
  expect([await readStates(), await readSeconds()]).toEqual([['paused'], pausedAt]);
  // As a media key does. What is in the buffer is over by then.
  await page.locator('video').evaluate((video) => (video as HTMLVideoElement).play());
  await expect.poll(readSeconds, { timeout: 40_000 }).toBeGreaterThan(pausedAt + 25);
  expect([await readStates(), (await listRequests()).length > 0]).toEqual([['playing'], true]);
});

test('a picture that the browser pauses while its page is hidden for a moment is live again once it is seen', async () => {
  const { page, setHidden } = screen;
  const { latency, seePicture } = studioPage(page);
  await setHidden(true);
  await expect.poll(isPaused).toBe(true);
  await setHidden(false);
  await seePicture();
  await latency.waitFor();
});

test('the levels of the sound come only while their meter is seen', async () => {
  const { page, setHidden } = screen;
  const { peaks } = studioPage(page);
  await peaks.first().waitFor();
  await setHidden(true);
  // Without levels its bars are dark.
  await expect.poll(() => peaks.count()).toBe(0);
  await expect.poll(() => listWatches('stream/watchAudio').at(-1)).toBe(false);
  // Levels may be on their way.
  await untilAnswered();
  levels = [];
  await page.waitForTimeout(3_000);
  expect(levels).toEqual([]);
  await setHidden(false);
  await peaks.first().waitFor();
});

test('devices are looked for only while the panel that offers them is seen', async () => {
  const { page, setHidden } = screen;
  asked.length = 0;
  await page.goto(offAirUrl);
  await studioPage(page).source('Screen').click();
  await expect.poll(() => listWatches('source/watchDevices')).toEqual([true]);
  await setHidden(true);
  await expect.poll(() => listWatches('source/watchDevices')).toEqual([false]);
  await setHidden(false);
  await expect.poll(() => listWatches('source/watchDevices')).toEqual([false, true]);
});

/** A message of oRPC: its call, its type and what is called. */
function readMessage(message: string): { i: string; t?: number; p?: { u?: string } } {
  return JSON.parse(message);
}

/** Whether each call of a procedure, in order, still watches. */
function listWatches(procedure: string): boolean[] {
  const messages = asked.map(readMessage);
  return messages
    .filter(({ p }) => p?.u?.endsWith(`/${procedure}`))
    .map(({ i }) => !messages.some((message) => message.i === i && message.t === abortType));
}

/** Resolves once the page has all that the service sent before it knew what the page asked last. */
async function untilAnswered(): Promise<void> {
  const calls = asked.length;
  await screen.page.evaluate(() => window.dispatchEvent(new Event('online')));
  const isAnswered = ({ i, p }: ReturnType<typeof readMessage>) =>
    p?.u?.endsWith('/service/networkReturned') === true && answered.has(i);
  await expect.poll(() => asked.slice(calls).map(readMessage).some(isAnswered)).toBe(true);
}
