import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { findViolationsInThemes } from '../support/axe.ts';
import { type BrowserUi, openBrowserUi, smallPage } from '../support/browser-ui.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { answerWell, startOddService } from '../support/odd-service.ts';
import { holdPageSocket, withoutWarnings } from '../support/page-socket.ts';
import { streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
/** The service elsewhere. */
let there: TestHost;
let apiKey: string;
beforeAll(async () => {
  [ui, there] = await Promise.all([openBrowserUi({ size: smallPage }), startTestHost()]);
  apiKey = await there.createApiKey('screens');
});
beforeEach(() => ui.renewPage('#/settings'));
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
  await there.close();
});

/** The services in Settings, by their parts' accessible names. */
function servicesGroup() {
  const group = ui.page.getByRole('region', { name: 'Services', exact: true });
  const dialog = ui.page.getByRole('dialog', { name: /^(Add service|Edit )/ });
  return {
    group,
    dialog,
    add: group.getByRole('button', { name: 'Add service…' }),
    field: (name: string) => dialog.getByRole('textbox', { name }),
    save: dialog.getByRole('button', { name: /^(Check and add|Save)$/ }),
    question: ui.page.getByRole('alertdialog'),
  };
}

/** Adds a service over the contract; returns its id. */
async function addService(name: string, baseUrl: string, key: string): Promise<string> {
  const app = await ui.contract();
  return (await app.remoteService.add({ name, baseUrl, apiKey: key })).id;
}

test('a service is added once it has answered, and each failure is named where it can be fixed', async () => {
  const services = servicesGroup();
  await services.group.getByText('This computer only. It needs no other service.').waitFor();
  // Whoever has no other service has nothing to choose.
  await ui.goTo('#/streams');
  await streamsPage(ui.page).makeFirst.waitFor();
  expect(await ui.page.getByRole('combobox', { name: 'Service' }).count()).toBe(0);
  await ui.goTo('#/settings');

  await services.add.click();
  await services.save.click();
  await services.dialog.getByText('Give it a name of 100 characters or fewer.').waitFor();
  await services.field('Name').fill('Studio server');
  await services.field('API address').fill('http://192.168.1.20:4600/api');
  await services.dialog.getByText('Only this computer can be reached without HTTPS.').waitFor();
  await services.field('API address').fill(there.ready.apiBaseUrl.replace(/\/api$/, '/nothing'));
  await services.field('API key').fill('wrong');
  await services.save.click();
  await services.dialog.getByText("The service doesn't know this request (404).").waitFor();
  await expect.poll(() => services.field('API address').getAttribute('aria-invalid')).toBe('true');
  await services.field('API address').fill(there.ready.apiBaseUrl);
  await services.save.click();
  await services.dialog.getByText('The service refused the API key. Check that it is complete and not revoked.').waitFor();
  await expect.poll(() => services.field('API key').getAttribute('aria-invalid')).toBe('true');
  await services.field('API key').fill(apiKey);
  await services.save.click();
  await ui.page.getByText('Studio server added').first().waitFor();
  const row = services.group.getByRole('listitem').filter({ hasText: 'Studio server' });
  await row.getByText(there.ready.apiBaseUrl).waitFor();

  await row.getByRole('button', { name: 'Edit Studio server' }).click();
  expect(await services.field('API key').inputValue()).toBe('');
  await services.field('Name').fill('Crew');
  await services.field('API address').fill(there.ready.apiBaseUrl.replace('127.0.0.1', 'localhost'));
  await services.save.click();
  await services.dialog.getByText('Enter the key again: the saved one is for another address.').waitFor();
  await services.field('API address').fill(there.ready.apiBaseUrl);
  await services.save.click();
  await ui.page.getByText('Crew saved').first().waitFor();
  expect(await ui.page.content()).not.toContain(apiKey);

  await services.group.getByRole('button', { name: 'Remove Crew' }).click();
  await services.question.getByRole('button', { name: 'Remove service' }).click();
  await services.group.getByText('This computer only. It needs no other service.').waitFor();
  expect(ui.complaints).toEqual([]);
});

test('a service whose form is closed while it is checked is not added', async () => {
  const services = servicesGroup();
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using slow = await startOddService((request, response) => {
    asked.resolve();
    void held.promise.then(() => response.writeHead(200).end(JSON.stringify(answerWell(request, response)?.json)));
    return undefined;
  });
  await ui.goTo('#/settings');
  await services.add.click();
  await services.field('Name').fill('Slow server');
  await services.field('API address').fill(slow.baseUrl);
  await services.field('API key').fill(apiKey);
  await services.save.click();
  await asked.promise;
  await services.dialog.getByRole('button', { name: 'Cancel' }).click();
  await services.dialog.waitFor({ state: 'detached' });
  held.resolve();
  // Its last question is whether the key is right.
  await expect.poll(() => slow.asked.at(-1)?.path).toContain('/api/stream');
  const id = await addService('Added after it', there.ready.apiBaseUrl, apiKey);
  await services.group.getByRole('listitem').filter({ hasText: 'Added after it' }).waitFor();
  expect(await services.group.getByRole('listitem').count()).toBe(1);
  await (await ui.contract()).remoteService.remove({ serviceId: id });
  expect(ui.complaints).toEqual([]);
});

test('a stream of a remote service is created, sent to, watched on its own playback URL, and stopped', async () => {
  await addService('Studio server', there.ready.apiBaseUrl, apiKey);
  const streams = streamsPage(ui.page);
  const studio = studioPage(ui.page);
  await ui.goTo('#/streams');
  await ui.page.getByRole('combobox', { name: 'Service' }).click();
  await ui.page.getByRole('option', { name: 'Studio server' }).click();
  await streams.makeFirst.waitFor();
  await ui.page.getByRole('main').getByRole('button', { name: 'Choose a name and renditions…' }).click();
  await streams.dialog.getByText('It is created on Studio server.').waitFor();
  await streams.name.fill('Remote show');
  await streams.ladder('Source only').click();
  await streams.create.click();
  await ui.page.getByRole('heading', { name: 'Remote show', level: 1 }).waitFor();
  await studio.strip.getByText('on Studio server').waitFor();
  await studio.health.getByText('Studio server answers').waitFor();
  await studio.goLive.click();
  await studio.state('On air').waitFor();
  // The page was loaded before the service was added, so its policy has to be renewed first.
  await studio.seePicture();
  const requested = await ui.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const { origin } = new URL(there.ready.playbackBaseUrl);
  expect(requested.some((url) => url.startsWith(`${origin}/hls/`))).toBe(true);
  // What is sent there is metered here.
  await expect.poll(() => studio.peaks.count()).toBe(2);
  await studio.health.getByRole('img', { name: /^Bitrate between/ }).waitFor();
  // It is on air, wherever one looks.
  await ui.goTo('#/settings');
  await ui.page.getByRole('banner').getByText('Remote show').waitFor();
  await ui.page.goBack();
  await studio.stopBroadcast();
  await expect.poll(() => studio.sessions.count()).toBe(2);
  const policy = /violates the following Content Security Policy directive: "(connect|media)-src/;
  expect(ui.complaints.filter((complaint) => !policy.test(complaint))).toEqual([]);
});

test('a remote service that is gone is shown as gone in its list, in Studio and in Settings', async () => {
  const away = await startTestHost();
  const serviceId = await addService('Away', away.ready.apiBaseUrl, await away.createApiKey('screens'));
  const app = await ui.contract();
  const { id: streamId } = await app.stream.create({ name: 'Away show', serviceId });
  await ui.goTo(`#/services/${serviceId}/streams`);
  const streams = streamsPage(ui.page);
  await streams.row('Away show').getByText('Off air').waitFor();
  await expect.poll(() => ui.page.title()).toBe('Streams · Tallylight');
  expect(await ui.page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/lamp-off-/);
  const tally = await ui.openPage(`#/services/${serviceId}/tally`);
  await tally.getByRole('main').getByText('Off air').waitFor();
  const opened = await ui.openPage(`#/studio/${streamId}`);
  await studioPage(opened).goLive.waitFor();
  await away.close();
  // Go live is still offered, on an amber bar.
  await studioPage(opened).state('No contact').waitFor();
  expect(await findViolationsInThemes(opened)).toEqual([]);
  await opened.close();
  await tally.getByRole('main').getByText('No contact').waitFor();
  await tally.close();
  await ui.page.getByText('No contact with Away').waitFor();
  await ui.page.getByRole('banner').getByText("Can't tell what is on air.").waitFor();
  await expect.poll(() => ui.page.title()).toBe('No contact · Streams · Tallylight');
  const lamp = ui.page.getByRole('navigation', { name: 'Screens' }).locator('[data-tone]').first();
  expect(await lamp.getAttribute('data-tone')).toBe('warn');
  await streams.row('Away show').getByText('No contact').waitFor();
  await streams.link('Away show').click();
  await ui.page.getByRole('heading', { name: 'No contact with the service' }).waitFor();
  // The tally view opened in its list is that service's, and leads back.
  await ui.goTo(`#/services/${serviceId}/streams`);
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await ui.page.keyboard.press('t');
  await ui.page.getByRole('heading', { name: /: tally view$/ }).waitFor({ state: 'attached' });
  await ui.page.getByRole('main').getByText('No contact').waitFor();
  await ui.page.keyboard.press('Escape');
  await ui.page.getByRole('combobox', { name: 'Service' }).filter({ hasText: 'Away' }).waitFor();
  await ui.goTo('#/settings');
  await servicesGroup().group.getByText('refused the connection').waitFor();
  await expect(app.broadcast.goLive({ streamId, source: testSource })).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
});

test('the empty list of a service that is gone is not called off air', async () => {
  const away = await startTestHost();
  const serviceId = await addService('Vacant', away.ready.apiBaseUrl, await away.createApiKey('screens'));
  await ui.goTo(`#/services/${serviceId}/streams`);
  const bar = ui.page.getByRole('banner');
  await bar.getByText('Off air').waitFor();
  await away.close();
  await bar.getByText("Can't tell what is on air.").waitFor();
  await bar.getByText('No contact').waitFor();
  await expect.poll(() => ui.page.title()).toBe('No contact · Streams · Tallylight');
});

test('while a service is gone, its list and tally are not plain red for a stream of this computer', async () => {
  const away = await startTestHost();
  const serviceId = await addService('Backup', away.ready.apiBaseUrl, await away.createApiKey('screens'));
  await (await ui.contract()).stream.create({ name: 'Backup show', serviceId });
  const { ingestUrl } = await ui.createStream({ name: 'Local show' });
  await using _publisher = startFfmpegPublisher(ingestUrl);
  await ui.goTo(`#/services/${serviceId}/streams`);
  await using tally = await ui.openPage(`#/services/${serviceId}/tally`, async (opened) => {
    (await holdPageSocket(opened)).rewrite = withoutWarnings;
  });
  const frame = tally.getByRole('main');
  await frame.getByText('On air', { exact: true }).waitFor();
  expect(await frame.getAttribute('data-warned')).toBeNull();
  await away.close();
  await frame.getByText('no contact with Backup').waitFor();
  expect(await frame.getAttribute('data-warned')).toBe('true');
  await frame.getByText('On air', { exact: true }).waitFor();
  const bar = ui.page.getByRole('banner');
  await bar.getByText('no contact with Backup').waitFor();
  await bar.getByText('Local show').waitFor();
  await expect.poll(() => bar.getAttribute('data-tone')).toBe('warn');
});
