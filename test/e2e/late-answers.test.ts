import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFailingService } from '../support/failing-service.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { lightEncode } from '../support/light-encode.ts';
import { holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';
import { waitUntil } from '../support/wait-until.ts';

let ui: BrowserUi;
let there: TestHost;
/** The service elsewhere. */
let elsewhere: Awaited<ReturnType<typeof startFailingService>>;
let serviceId: string;
/** The page's, which makes answers as late as a test wants them. The service's own requests to another one have a time limit. */
let socket: PageSocket;
beforeAll(async () => {
  const prepare = async (page: Page) => {
    socket = await holdPageSocket(page);
  };
  [ui, there] = await Promise.all([openBrowserUi({ size: smallPage, prepare }), startTestHost()]);
  elsewhere = await startFailingService(there.ready.apiBaseUrl);
  const app = await ui.contract();
  const apiKey = await there.createApiKey('screens');
  serviceId = (await app.remoteService.add({ name: 'Slow server', baseUrl: elsewhere.baseUrl, apiKey })).id;
});
beforeEach(() => {
  elsewhere.failAt(() => false);
  return ui.renewPage(`#/services/${serviceId}/streams`);
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
  await there.close();
});

const createRemote = async (name: string) => (await ui.contract()).stream.create({ name, serviceId });

test('a stream whose form is closed while a slow service creates it is created, and the page stays where it is', async () => {
  const streams = streamsPage(ui.page);
  await ui.goTo(`#/services/${serviceId}/streams/new`);
  await streams.name.fill('Slow show');
  const release = socket.hold();
  await streams.create.click();
  await streams.dialog.getByRole('button', { name: 'Cancel' }).click();
  await streams.dialog.waitFor({ state: 'detached' });
  release();
  await ui.page.getByText('Slow show created').first().waitFor();
  await streams.heading.waitFor();
  await streams.link('Slow show').waitFor();
  expect(ui.complaints).toEqual([]);
});

test('a stream that is deleted slowly does not close the question about another', async () => {
  const streams = streamsPage(ui.page);
  await createRemote('First to go');
  await createRemote('Second to go');
  await streams.link('Second to go').waitFor();
  const release = socket.hold();
  await streams.choose('First to go', 'Delete');
  await streams.question.getByRole('button', { name: 'Delete stream' }).click();
  await streams.question.getByRole('button', { name: 'Cancel' }).click();
  await streams.question.waitFor({ state: 'detached' });
  await streams.choose('Second to go', 'Delete');
  await streams.question.getByText('Delete Second to go?').waitFor();
  release();
  await ui.page.getByText('First to go deleted').first().waitFor();
  await streams.question.getByRole('button', { name: 'Delete stream' }).click();
  await ui.page.getByText('Second to go deleted').first().waitFor();
  await streams.question.waitFor({ state: 'detached' });
});

test('a stream key that arrives late does not replace what was copied after it, and is not shown once it is withdrawn', async () => {
  const { id } = await createRemote('Late key');
  const studio = studioPage(ui.page);
  await ui.goTo(`#/studio/${encodeURIComponent(id)}`);
  await studio.copy('playback URL').waitFor();
  const app = await ui.contract();
  const { streamKey } = await app.stream.revealKey({ streamId: id });
  const release = socket.hold();
  await studio.copy('stream key').click();
  await studio.reveal.click();
  // A second press withdraws it.
  await studio.reveal.click();
  await studio.copy('playback URL').click();
  await ui.page.getByText('Playback URL copied').first().waitFor();
  const url = await ui.readClipboard();
  await expect.poll(() => socket.heard.some((message) => message.includes(streamKey))).toBe(true);
  release();
  await studio.showKey();
  await ui.page.getByText(streamKey).waitFor();
  expect(await ui.readClipboard()).toBe(url);
  expect(url).toContain('/hls/');
});

test('a broadcast that fails to start after its Studio was left is told wherever the page is', async () => {
  const { id } = await createRemote('Left alone');
  const studio = studioPage(ui.page);
  await ui.goTo(`#/studio/${encodeURIComponent(id)}`);
  await studio.goLive.waitFor();
  const release = socket.hold();
  elsewhere.failAt(() => true);
  await studio.goLive.click();
  await ui.goTo('#/settings');
  await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  release();
  await ui.page
    .getByText(/^Left alone didn't go live\. /)
    .first()
    .waitFor();
});

test('a stream that is not suspended, after its list was left, is told wherever the page is', async () => {
  await createRemote('Kept on');
  const streams = streamsPage(ui.page);
  await streams.link('Kept on').waitFor();
  elsewhere.failAt(({ method }) => method === 'PATCH');
  const release = socket.hold();
  await streams.choose('Kept on', 'Suspend');
  await ui.goTo('#/settings');
  await ui.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  release();
  await ui.page
    .getByText(/^Kept on wasn't suspended\. /)
    .first()
    .waitFor();
});

test("a microphone of the browser whose order is answered late is added to what was mixed meanwhile, a screen isn't", async () => {
  const { hash } = await ui.createStream({ name: 'Late captures' });
  const { page } = ui;
  await ui.goTo(hash);
  const studio = studioPage(page);
  await studio.source('Test picture').click();
  const before = await studio.sounds.count();
  let release = socket.hold();
  await studio.addSound('Microphone of this browser…');
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .click();
  expect(await studio.sounds.count()).toBe(before - 1);
  release();
  await expect.poll(() => studio.sounds.count()).toBe(before);
  await studio.source('Screen').click();
  release = socket.hold();
  await page.getByRole('button', { name: 'Share a screen…' }).click();
  await studio.source('Test picture').click();
  release();
  // Answers come in order.
  await studio.previewed.waitFor();
  expect(await studio.source('Test picture').isChecked()).toBe(true);
  const encoder = studio.source('OBS');
  release = socket.hold();
  await studio.addSound('Microphone of this browser…');
  await encoder.click();
  release();
  await studio.copy('stream key').click();
  await page.getByText('Stream key copied').first().waitFor();
  expect(await encoder.isChecked()).toBe(true);
});

test('a new key that arrives after its question was closed is told of, and opens no window', async () => {
  const { id, streamKey } = await ui.createStream({ name: 'Rekeyed' });
  const { page } = ui;
  await ui.goTo('#/streams');
  const streams = streamsPage(page);
  await streams.choose('Rekeyed', 'New key');
  const release = socket.hold();
  await streams.question.getByRole('button', { name: 'Create new key' }).click();
  const app = await ui.contract();
  await expect.poll(async () => (await app.stream.revealKey({ streamId: id })).streamKey).not.toBe(streamKey);
  await streams.question.getByRole('button', { name: 'Cancel' }).click();
  await streams.question.waitFor({ state: 'detached' });
  release();
  await page.getByText('Rekeyed has a new key. Find it in Studio.').first().waitFor();
  expect(await page.getByRole('dialog', { name: 'New key for Rekeyed' }).count()).toBe(0);
});

test('an API key that arrives after Settings was left is told of, and shown there until its user has copied it', async () => {
  const { page } = ui;
  await ui.goTo('#/settings');
  await page.getByLabel('Name of the new key').fill('Stream deck');
  const release = socket.hold();
  await page.getByRole('button', { name: 'Create key' }).click();
  const app = await ui.contract();
  await waitUntil(await app.apiKey.watchAll(), (keys) => keys.some(({ name }) => name === 'Stream deck'));
  await page.getByRole('link', { name: 'Streams' }).first().click();
  await streamsPage(page).heading.waitFor();
  release();
  await page.getByText('The new API key for Stream deck is shown in Settings.').first().waitFor();
  const made = page.getByText('Stream deck is ready.');
  for (let visit = 0; visit < 2; visit += 1) {
    await ui.goTo('#/settings');
    await made.waitFor();
    await ui.goTo('#/streams');
    await streamsPage(page).heading.waitFor();
  }
  await ui.goTo('#/settings');
  await page.getByRole('button', { name: "I've copied it" }).click();
  await made.waitFor({ state: 'detached' });
  await ui.goTo('#/streams');
  await streamsPage(page).heading.waitFor();
  await ui.goTo('#/settings');
  await page.getByRole('row').filter({ hasText: 'Stream deck' }).waitFor();
  expect(await made.count()).toBe(0);
});

test('what was asked of the service when contact was lost is told after its screen was left', async () => {
  const app = await ui.contract();
  await app.apiKey.create({ name: 'Old deck' });
  const urls = { ingest: 'rtmp://127.0.0.1:9/live', playback: 'http://127.0.0.1:9/hls', base: 'http://127.0.0.1:9' };
  await app.settings.update({ regions: [{ code: 'lhr', urls }] });
  const { page } = ui;
  await ui.goTo('#/settings');
  const question = page.getByRole('alertdialog');
  /** Leaves before the answer comes, and loses contact; resolves once that was told. */
  const leave = async (name: string, ask: () => Promise<void>) => {
    const release = socket.hold();
    await ask();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await ui.goTo('#/streams');
    await streamsPage(page).heading.waitFor();
    await socket.lose();
    release();
    await page
      .getByText(`Lost contact with the service before it answered about ${name}. Check there to see what was done.`)
      .first()
      .waitFor();
    // What is asked next is asked with contact: without, it would fail at once.
    const said = socket.said.length;
    socket.isOpen = true;
    await expect.poll(() => socket.said.length).toBeGreaterThan(said);
  };

  await page.getByLabel('Name of the new key').fill('New deck');
  await leave('New deck', () => page.getByRole('button', { name: 'Create key' }).click());
  await ui.goTo('#/settings');
  await page.getByRole('button', { name: 'Revoke Old deck' }).click();
  await leave('Old deck', () => question.getByRole('button', { name: 'Revoke key' }).click());
  await ui.goTo('#/regions');
  await page.getByRole('button', { name: 'Remove LHR' }).click();
  await leave('LHR', () => question.getByRole('button', { name: 'Remove region' }).click());
});

test('a microphone that could not be asked for is told, also beside a picture that no page captures', async () => {
  const { hash } = await ui.createStream({ name: 'Unheard' });
  await ui.goTo(hash);
  const studio = studioPage(ui.page);
  await studio.source('Test picture').waitFor();
  const opened = ui.page.waitForEvent('popup');
  const release = socket.hold();
  await studio.addSound('Microphone of this browser…');
  await (await opened).close();
  await socket.lose();
  release();
  const refusal = "Can't reach the service. Try again when it's back.";
  await ui.page.getByRole('status').filter({ hasText: refusal }).waitFor();
});

test('what is changed while a new source goes on air stays in its form, to be used too', async () => {
  const app = await ui.contract();
  const { id } = await ui.createStream({ name: 'Mixed' });
  await app.broadcast.goLive({ streamId: id, source: testSource, encode: lightEncode });
  const { page } = ui;
  await ui.goTo(`#/studio/${id}`);
  await page.getByRole('button', { name: 'Change source' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change source' });
  const level = dialog.getByRole('slider', { name: /^Level of/ });
  const use = dialog.getByRole('button', { name: 'Use this source' });
  await level.fill('-6');
  const release = socket.hold();
  await use.click();
  const levelOnAir = async () => {
    const states = await app.stream.watch({ streamId: id });
    for await (const { oneClick } of states) return 'source' in oneClick ? oneClick.source.sound.inputs[0]?.levelDb : undefined;
  };
  await expect.poll(levelOnAir).toBe(-6);
  await level.fill('-20');
  release();
  await expect.poll(() => use.getAttribute('aria-busy')).toBeNull();
  await use.click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(levelOnAir).toBe(-20);
  await app.broadcast.stop({ streamId: id });
});

test('a form takes no more input while it is saved, since it closes then', async () => {
  const app = await ui.contract();
  const { id } = await ui.createStream({
    name: 'Named slowly',
    profiles: [{ name: '360p', width: 640, height: 360, bitrate: 600, fps: 0 }],
  });
  const { page } = ui;
  await ui.goTo('#/streams');
  const canBeEdited = (fields: readonly Locator[]) =>
    Promise.all(
      fields.map((field) => field.evaluate((element) => !element.matches(':disabled, [aria-disabled="true"], [readonly]'))),
    );
  /** Whether the fields can be edited before and while the answer of a save is awaited; the form closes when it arrives. */
  const saveSlowly = async (dialog: Locator, fields: readonly Locator[], saved: () => Promise<unknown>) => {
    const before = await canBeEdited(fields);
    const release = socket.hold();
    await fields[0]?.press('Enter');
    await saved();
    const meanwhile = await canBeEdited(fields);
    const isFocused = await fields[0]?.evaluate((field) => field === document.activeElement);
    release();
    await dialog.waitFor({ state: 'detached' });
    return { before, meanwhile, isFocused };
  };

  const streams = streamsPage(page);
  await streams.choose('Named slowly', 'Edit…');
  await streams.name.fill('Named at last');
  const bitrate = streams.rendition(1).getByRole('textbox', { name: 'Bitrate' });
  const fps = streams.dialog.getByRole('textbox', { name: 'Frame rate of all renditions' });
  const remove = streams.dialog.getByRole('button', { name: 'Remove rendition 1' });
  const add = streams.dialog.getByRole('button', { name: 'Add rendition' });
  const isRenamed = async () =>
    waitUntil(await app.stream.watch({ streamId: id }), ({ stream }) => stream.name === 'Named at last');
  expect(
    await saveSlowly(streams.dialog, [streams.name, bitrate, fps, streams.ladder('Custom'), remove, add], isRenamed),
  ).toEqual({
    before: [true, true, true, true, true, true],
    meanwhile: [false, false, false, false, false, false],
    isFocused: true,
  });

  await ui.goTo('#/regions');
  await page.getByRole('button', { name: 'Add region' }).click();
  const region = page.getByRole('dialog', { name: 'Add region' });
  const field = (name: string) => region.getByRole('textbox', { name });
  await field('Region').fill('jfk');
  await field('Ingest URL').fill('rtmp://127.0.0.1:9/live');
  await field('Playback URL').fill('http://127.0.0.1:9/hls');
  const isAdded = async () => waitUntil(await app.settings.watch(), ({ regions }) => regions.length === 1);
  expect(await saveSlowly(region, [field('Ingest URL'), field('Region')], isAdded)).toEqual({
    before: [true, true],
    meanwhile: [false, false],
    isFocused: true,
  });

  await ui.goTo('#/settings');
  await page.getByRole('button', { name: 'Edit Slow server' }).click();
  const service = page.getByRole('dialog', { name: 'Edit Slow server' });
  const [name, address] = ['Name', 'API address'].map((label) => service.getByRole('textbox', { name: label })) as [
    Locator,
    Locator,
  ];
  await name.fill('Slower server');
  const isKept = async () => waitUntil(await app.remoteService.watchAll(), ([first]) => first?.name === 'Slower server');
  expect(await saveSlowly(service, [name, address], isKept)).toEqual({
    before: [true, true],
    meanwhile: [false, false],
    isFocused: true,
  });
});
