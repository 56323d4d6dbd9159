import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { type BrowserUi, goTo, readAddress, smallPage } from '../support/browser-ui.ts';
import { clipping, startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { changeLive, holdPageSocket, type PageSocket, soundClips } from '../support/page-socket.ts';
import { shareBrowserUi } from '../support/shared-ui.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;

shareBrowserUi({ size: smallPage }, (opened) => {
  ui = opened;
});

/** Creates a stream and opens its Studio on a page of its own; `prepare` gets the page before it loads. */
async function openStudioOf(name: string, prepare?: (page: Page) => Promise<void>) {
  const { hash, ingestUrl } = await ui.createStream({ name });
  const page = await ui.openPage(hash, prepare);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return { page, studio: studioPage(page), ingestUrl, [Symbol.asyncDispose]: () => page.close() };
}

test('Studio goes on air by itself when a publisher starts, and the picture survives its loss and return', async () => {
  await using opened = await openStudioOf('From OBS');
  const { page, studio } = opened;
  // As the streamer copies them.
  await studio.showKey();
  const ingestUrl = `${await studio.value('Ingest URL').textContent()}/${await studio.value('Stream key').textContent()}`;
  await studio.source('From OBS or another program').click();
  await expect.poll(() => page.getByText('This page goes on air automatically.').isVisible()).toBe(true);
  const server = page.getByRole('group', { name: 'Ingest URL (Server)' });
  expect(await server.getByText('Works on this computer only.', { exact: true }).count()).toBe(1);
  const first = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  await expect.poll(() => page.getByRole('region', { name: 'Set-up' }).getByText('over RTMP').isVisible()).toBe(true);

  await first.kill();
  await studio.state('Signal lost').waitFor();
  await studio.strip.getByText(/^ends in \d+\ss$/).waitFor();
  await studio.monitor.getByText("They'll see nothing new until the encoder is back.").waitFor();
  expect(await page.locator('video').evaluate((video) => (video as HTMLVideoElement).videoWidth)).toBe(320);

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
  await using opened = await openStudioOf('Stopped');
  const { page, studio, ingestUrl } = opened;
  await using first = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  await studio.stopBroadcast();
  await first.ended;
  await studio.monitor.getByText(/^You stopped this stream, so its encoder is refused/).waitFor();

  expect((await startFfmpegPublisher(ingestUrl).ended).exitCode).not.toBe(0);
  expect((await startFfmpegPublisher(ingestUrl).ended).exitCode).not.toBe(0);
  const said = studio.monitor.getByText(/ tried \d+\ss ago and was refused$/);
  await said.waitFor();
  await studio.monitor.getByText(/ tried [1-9]\d*\ss ago and was refused$/).waitFor();
  await expect.poll(() => studio.state('Off air').isVisible()).toBe(true);
  await studio.source('From OBS or another program').click();
  await page
    .getByText(
      'You stopped this stream: it refuses encoders until you allow them, press Go live, or they stop trying for a while.',
    )
    .waitFor();
  expect(await findViolations(page)).toEqual([]);
  // The open steps leave the monitor little height, but the button stays fully visible.
  const letIn = studio.monitor.getByRole('button', { name: 'Allow it' });
  const [frame, button] = [await studio.monitor.boundingBox(), await letIn.boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 999)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));

  await letIn.click();
  await said.waitFor({ state: 'detached' });
  await studio.monitor.getByText(/ is allowed again$/).waitFor();
  await page.getByText('This page goes on air automatically.').waitFor();
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
  await using opened = await openStudioOf('With a profile');
  const { page, studio, ingestUrl } = opened;
  await studio.source('From OBS or another program').click();
  const save = page.getByRole('button', { name: 'Save an OBS profile' });
  const setPicker = (kind: 'none' | 'private folder') =>
    page.evaluate((picker) => {
      const pick = picker === 'none' ? undefined : () => navigator.storage.getDirectory();
      Reflect.set(window, 'showDirectoryPicker', pick);
    }, kind);
  /** The contents of a file in the saved folder. */
  const readSaved = (name: string) =>
    page.evaluate(async (file) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('Tallylight With a profile');
      return (await (await folder.getFileHandle(file)).getFile()).text();
    }, name);

  await setPicker('none');
  const download = page.waitForEvent('download');
  await save.click();
  expect((await download).suggestedFilename()).toBe('Tallylight With a profile.zip');

  await setPicker('private folder');
  await save.click();
  await page.getByText('Folder “Tallylight With a profile” saved.').first().waitFor();
  const [server, key] = [ingestUrl.slice(0, ingestUrl.lastIndexOf('/')), ingestUrl.slice(ingestUrl.lastIndexOf('/') + 1)];
  const settings = { server, key: '', use_auth: false, bwtest: false };
  expect(JSON.parse(await readSaved('service.json'))).toEqual({ type: 'rtmp_custom', settings });
  expect(JSON.parse(await readSaved('streamEncoder.json'))).toMatchObject({ keyint_sec: 1, x264opts: 'bframes=0' });
  expect(await readSaved('basic.ini')).toContain('Mode=Advanced');

  await page.getByRole('checkbox', { name: 'Include the stream key, as plain text' }).check();
  await save.click();
  await expect
    .poll(async () => JSON.parse(await readSaved('service.json')))
    .toEqual({
      type: 'rtmp_custom',
      settings: { ...settings, key },
    });
});

test('why an OBS profile was not saved is announced', async () => {
  let socket: PageSocket | undefined;
  await using opened = await openStudioOf('Without a profile', async (page) => {
    socket = await holdPageSocket(page);
  });
  const { page, studio } = opened;
  await studio.source('From OBS or another program').click();
  await page.getByRole('checkbox', { name: 'Include the stream key, as plain text' }).check();
  await socket?.lose();
  await page.getByRole('button', { name: 'Save an OBS profile' }).click();
  await page.getByRole('main').getByRole('alert').getByText("Can't reach the service.").waitFor();
});

test('a lost service is reported calmly, and every live value returns with it, without a reload', async () => {
  let socket: PageSocket | undefined;
  await using opened = await openStudioOf('Behind a bad cable', async (page) => {
    socket = await holdPageSocket(page);
  });
  if (socket === undefined) throw new Error('The page was not prepared.');
  const { page, studio, ingestUrl } = opened;
  await page.evaluate(() => Object.assign(window, { wasReloaded: false }));
  await socket.lose();
  await page.getByText('Lost connection to the service, reconnecting…').waitFor();
  // The page claims nothing about now: the stream may have gone on air meanwhile.
  await studio.state('No contact').waitFor();
  await studio.strip.getByText(/^was off air \S+\ss ago$/).waitFor();
  await page.getByRole('region', { name: 'Sound meter' }).getByText("The sound isn't being measured.").waitFor();
  await goTo(page, '#/streams');
  await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('banner').getByText("Can't tell what is on air.").count()).toBe(1);
  await page.goBack();
  socket.isOpen = true;
  await page.getByText('Lost connection to the service, reconnecting…').waitFor({ state: 'detached' });
  await studio.state('Off air').waitFor();
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await studio.state('On air').waitFor();
  await studio.seePicture();
  expect(await page.evaluate(() => Reflect.get(window, 'wasReloaded'))).toBe(false);
});

/** Makes every playback request fail, until it is disposed. */
async function cutPlayback(page: Page): Promise<AsyncDisposable> {
  await page.route('**/hls/**', (route) => route.abort('connectionfailed'));
  return { [Symbol.asyncDispose]: () => page.unroute('**/hls/**') };
}

test.each([
  { name: 'the monitor', jumpSeconds: 0 },
  // As on a busy computer, to what the player can't load any more.
  { name: 'the monitor, whose player has jumped ahead,', jumpSeconds: 60 },
])(
  '$name holds the last picture while playback is unreachable, recovers by itself, and counts on in another visit',
  async ({ jumpSeconds }) => {
    await using opened = await openStudioOf('Behind a bad network');
    const { page, studio, ingestUrl } = opened;
    await using _publisher = startFfmpegPublisher(ingestUrl);
    await studio.seePicture();
    {
      await using _cut = await cutPlayback(page);
      await page.locator('video').evaluate((video, seconds) => {
        if (seconds > 0) (video as HTMLVideoElement).currentTime += seconds;
      }, jumpSeconds);
      await page.locator('[aria-label^="Monitor"][data-state="held"]').waitFor();
      await expect.poll(() => studio.monitor.getByText(/Nothing new for|isn't responding/).isVisible()).toBe(true);
      // By now hls.js has stopped retrying, and the monitor takes over.
      await studio.monitor.getByText("The playback URL isn't responding").waitFor();
      await expect.poll(studio.countKeptColours).toBeGreaterThan(10);
    }
    await studio.seePicture();
    await expect.poll(() => studio.state('On air').isVisible()).toBe(true);
    const health = page.getByRole('complementary', { name: 'Health' });
    const stalls = async () => Number.parseInt((await health.locator('dt:text-is("Stalls") + dd').textContent()) ?? '', 10);
    await expect.poll(stalls).toBeGreaterThan(0);
    await goTo(page, '#/streams');
    await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
    await page.goBack();
    await studio.seePicture();
    await expect.poll(stalls).toBeGreaterThan(0);
  },
);

/** How many objects of a kind the page still holds. */
async function countLive(page: Page, kind: 'MediaSource' | 'Worker' | 'WebSocket'): Promise<number> {
  const session = await page.context().newCDPSession(page);
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

// What stays behind once per opening, or once in five, shows after fifteen.
test('opening Studio again and again leaves no player behind, and starts no worker', async () => {
  await using opened = await openStudioOf('Opened often');
  const { page, studio, ingestUrl } = opened;
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await studio.seePicture();
  const studioHash = (await readAddress(page)).hash;
  for (let opening = 0; opening < 15; opening += 1) {
    await goTo(page, '#/settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await goTo(page, studioHash);
    // The player has attached its media: there is something to leave behind.
    await page.locator('video[src]').waitFor();
  }
  await studio.seePicture();
  // One is playing; another may still wait for its last callback.
  await expect.poll(() => countLive(page, 'MediaSource')).toBeLessThanOrEqual(2);
  expect(await countLive(page, 'Worker')).toBe(0);
});

test('a channel that is over 0 dBTP is marked in the sound meter, and its highest peak stays', async () => {
  await using opened = await openStudioOf('Too loud', async (page) => {
    (await holdPageSocket(page)).rewrite = changeLive({ verdict: soundClips });
  });
  const { page, studio, ingestUrl } = opened;
  await using _publisher = startFfmpegPublisher(ingestUrl, { args: ['-af', clipping] });
  const meter = page.getByRole('region', { name: 'Sound meter' });
  const readLevel = () => studio.peaks.evaluateAll((bars) => bars.map((bar) => bar.ariaValueText));
  await expect.poll(readLevel).toEqual([expect.stringMatching(/^\d\.\d dBTP, was over 0$/)]);
  await meter.getByTitle('Was over 0 dBTP: it clips').waitFor();
  await page.getByText('The sound is clipping').first().waitFor();
  // The service's own verdict changes the colour of the bar, too.
  await page.locator('header[data-tone="warn"]').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await studio.stopBroadcast();
});
