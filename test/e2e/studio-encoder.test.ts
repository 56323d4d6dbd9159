import type { WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { makeStream } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let studio: ReturnType<typeof studioPage>;
/** The page's sockets to the service, which a test closes. */
const sockets: WebSocketRoute[] = [];
let isServiceReachable = true;

beforeAll(async () => {
  ui = await openBrowserUi({
    prepare: (page) =>
      page.routeWebSocket('**/contract', (socket) => {
        if (!isServiceReachable) return void socket.close();
        sockets.push(socket);
        socket.connectToServer();
      }),
  });
});
beforeEach(async () => {
  await ui.renewPage();
  studio = studioPage(ui.page);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** Creates a stream, opens its Studio, and joins the ingest URL and stream key shown there. */
async function openStudioOf(name: string): Promise<string> {
  await makeStream(ui, name);
  await studio.reveal.click();
  await studio.hide.waitFor();
  const ingestUrl = `${await studio.value('Ingest URL').textContent()}/${await studio.value('Stream key').textContent()}`;
  await studio.hide.click();
  return ingestUrl;
}

test('Studio goes on air by itself when a publisher starts, and the picture survives its loss and return', async () => {
  const ingestUrl = await openStudioOf('From OBS');
  await studio.source('From OBS or another program').click();
  await expect.poll(() => ui.page.getByText('This page goes on air automatically.').isVisible()).toBe(true);
  const first = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  await expect.poll(() => ui.page.getByRole('region', { name: 'Set-up' }).getByText('over RTMP').isVisible()).toBe(true);

  await first.kill();
  await studio.state('Signal lost').waitFor();
  await studio.strip.getByText(/^ends in \d+ s$/).waitFor();
  await studio.monitor.getByText("They'll see nothing new until the encoder is back.").waitFor();
  expect(await ui.page.locator('video').evaluate((video) => (video as HTMLVideoElement).videoWidth)).toBe(320);

  await using back = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();
  await studio.seePicture();
  await expect.poll(() => studio.sessions.count()).toBe(2);

  await studio.stop.click();
  await studio.question.getByText(/The broadcast ends for viewers/).waitFor();
  await studio.question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => studio.state('On air').isVisible()).toBe(true);
  await studio.stop.click();
  await studio.question.getByRole('button', { name: 'Stop the broadcast' }).click();
  await back.ended;
  await studio.goLive.waitFor();
});

test('after Stop the off-air screen shows who was refused and when, until the publisher is allowed again', async () => {
  const ingestUrl = await openStudioOf('Stopped');
  await using first = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  await studio.stopBroadcast();
  await first.ended;
  await studio.monitor.getByText(/^You stopped this stream, so its encoder is refused/).waitFor();

  expect((await startFfmpegPublisher(ingestUrl).ended).exitCode).not.toBe(0);
  expect((await startFfmpegPublisher(ingestUrl).ended).exitCode).not.toBe(0);
  const said = studio.monitor.getByText(/ tried \d+ s ago and was refused$/);
  await said.waitFor();
  await studio.monitor.getByText(/ tried [1-9] s ago and was refused$/).waitFor();
  await expect.poll(() => studio.state('Off air').isVisible()).toBe(true);
  await studio.source('From OBS or another program').click();
  await ui.page.getByText('You stopped this stream: it refuses encoders until you allow them or press Go live.').waitFor();
  expect(await findViolations(ui.page)).toEqual([]);
  // The open steps leave the monitor little height, but the button stays fully visible.
  await ui.page.setViewportSize({ width: 900, height: 600 });
  const letIn = studio.monitor.getByRole('button', { name: 'Allow it' });
  const [frame, button] = [await studio.monitor.boundingBox(), await letIn.boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 999)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
  await ui.page.setViewportSize({ width: 1440, height: 900 });

  await letIn.click();
  await said.waitFor({ state: 'detached' });
  await studio.monitor.getByText(/ is allowed again$/).waitFor();
  await ui.page.getByText('This page goes on air automatically.').waitFor();
  {
    await using _back = startFfmpegPublisher(ingestUrl);
    await studio.state('On air').waitFor();
    await studio.seePicture();
    await studio.stopBroadcast();
  }

  // Go live also allows OBS again.
  await studio.monitor.getByText(/^You stopped this stream, so its encoder is refused/).waitFor();
  await studio.goLive.click();
  await studio.monitor.getByText("You'll see what viewers see here once you go live.").waitFor();
  await using _again = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();
});

test('an OBS profile is saved as a folder, or as an archive if no folder can be chosen, with the key only on request', async () => {
  const ingestUrl = await openStudioOf('With a profile');
  await studio.source('From OBS or another program').click();
  const save = ui.page.getByRole('button', { name: 'Save an OBS profile' });
  const setPicker = (kind: 'none' | 'private folder') =>
    ui.page.evaluate((picker) => {
      const pick = picker === 'none' ? undefined : () => navigator.storage.getDirectory();
      Reflect.set(window, 'showDirectoryPicker', pick);
    }, kind);
  /** The contents of a file in the saved folder. */
  const readSaved = (name: string) =>
    ui.page.evaluate(async (file) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Tallylight With a profile');
      return (await (await folder.getFileHandle(file)).getFile()).text();
    }, name);

  await setPicker('none');
  const download = ui.page.waitForEvent('download');
  await save.click();
  expect((await download).suggestedFilename()).toBe('Tallylight With a profile.zip');

  await setPicker('private folder');
  await save.click();
  await ui.page.getByText('Folder “Tallylight With a profile” saved.').first().waitFor();
  const [server, key] = [ingestUrl.slice(0, ingestUrl.lastIndexOf('/')), ingestUrl.slice(ingestUrl.lastIndexOf('/') + 1)];
  const settings = { server, key: '', use_auth: false, bwtest: false };
  expect(JSON.parse(await readSaved('service.json'))).toEqual({ type: 'rtmp_custom', settings });
  expect(JSON.parse(await readSaved('streamEncoder.json'))).toMatchObject({ keyint_sec: 1, x264opts: 'bframes=0' });
  expect(await readSaved('basic.ini')).toContain('Mode=Advanced');

  await ui.page.getByRole('checkbox', { name: 'Include the stream key, as plain text' }).check();
  await save.click();
  await expect
    .poll(async () => JSON.parse(await readSaved('service.json')), { timeout: 10_000 })
    .toEqual({
      type: 'rtmp_custom',
      settings: { ...settings, key },
    });
});

test('a lost service is reported calmly, and every live value returns with it, without a reload', async () => {
  const ingestUrl = await openStudioOf('Behind a bad cable');
  await ui.page.evaluate(() => Object.assign(window, { wasReloaded: false }));
  isServiceReachable = false;
  for (const socket of sockets) await socket.close();
  await ui.page.getByText('Lost connection to the service, reconnecting…').waitFor();
  // The page claims nothing about now: the stream may have gone on air meanwhile.
  await studio.state('No contact').waitFor();
  await studio.strip.getByText(/^was off air \S+ s ago$/).waitFor();
  await ui.goTo('#/streams');
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await expect.poll(() => ui.page.getByRole('banner').getByText("Can't tell what is on air.").count()).toBe(1);
  await ui.page.goBack();
  isServiceReachable = true;
  await ui.page.getByText('Lost connection to the service, reconnecting…').waitFor({ state: 'detached' });
  await studio.state('Off air').waitFor();
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();
  await studio.seePicture();
  expect(await ui.page.evaluate(() => Reflect.get(window, 'wasReloaded'))).toBe(false);
});

/** Makes every playback request fail, until it is disposed. */
async function cutPlayback(): Promise<AsyncDisposable> {
  await ui.page.route('**/hls/**', (route) => route.abort('connectionfailed'));
  return { [Symbol.asyncDispose]: () => ui.page.unroute('**/hls/**') };
}

test('the monitor holds the last picture while playback is unreachable, and recovers by itself', async () => {
  const ingestUrl = await openStudioOf('Behind a bad network');
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  {
    await using _cut = await cutPlayback();
    await ui.page.locator('[aria-label^="Monitor"][data-state="held"]').waitFor();
    await expect.poll(() => studio.monitor.getByText(/Nothing new for|isn't responding/).isVisible()).toBe(true);
    // By now hls.js has stopped retrying, and the monitor takes over.
    await studio.monitor.getByText("The playback URL isn't responding").waitFor();
  }
  await studio.seePicture();
  await expect.poll(() => studio.state('On air').isVisible()).toBe(true);
});

/** How many objects of a kind the page still holds. */
async function countLive(kind: 'MediaSource' | 'Worker' | 'WebSocket'): Promise<number> {
  const session = await ui.page.context().newCDPSession(ui.page);
  await session.send('HeapProfiler.collectGarbage');
  const { result } = await session.send('Runtime.evaluate', { expression: `${kind}.prototype` });
  const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
  const { result: length } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length; }',
    returnByValue: true,
  });
  await session.detach();
  return length.value as number;
}

test('opening Studio a hundred times leaves no player behind, and starts no worker', async () => {
  const ingestUrl = await openStudioOf('Opened often');
  await using _publisher = startFfmpegPublisher(ingestUrl, { seconds: 180 });
  await studio.seePicture();
  const studioHash = new URL(ui.page.url()).hash;
  for (let opening = 0; opening < 100; opening += 1) {
    await ui.goTo('#/settings');
    await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await ui.goTo(studioHash);
    await studio.monitor.waitFor();
  }
  await studio.seePicture();
  // One is playing; another may still wait for its last callback.
  expect(await countLive('MediaSource')).toBeLessThanOrEqual(2);
  expect(await countLive('Worker')).toBe(0);
}, 180_000);

test('the page raised no error and did not violate the Content-Security-Policy', () => {
  expect(ui.complaints).toEqual([]);
});
