import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, goTo, openBrowserUi, readAddress } from '../support/browser-ui.ts';
import { holdPageSocket, type PageSocket } from '../support/page-socket.ts';
import { openStoreAsRival } from '../support/rival-program.ts';
import { revealKey } from '../support/studio-page.ts';
import { waitUntil } from '../support/wait-until.ts';

let ui: BrowserUi;

beforeAll(async () => {
  ui = await openBrowserUi();
});
beforeEach(() => ui.renewPage('#/settings'));
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

const callApi = (key: string) =>
  fetch(`${ui.host.ready.apiBaseUrl}/stream`, { headers: { authorization: `Bearer ${key}` } }).then((answer) => answer.status);

test('an API key is offered once, can be copied, works, and is refused once revoked', async () => {
  const keys = ui.page.getByRole('region', { name: 'API keys' });
  await keys.getByRole('button', { name: 'Create key' }).click();
  await expect.poll(() => keys.getByText('Name the program that will use it.').isVisible()).toBe(true);
  await keys.getByRole('textbox', { name: 'Name of the new key' }).fill('Stream deck');
  await keys.getByRole('button', { name: 'Create key' }).click();
  await keys.getByRole('button', { name: 'Copy API key' }).click();
  await ui.page.getByText('API key copied').first().waitFor();
  const secret = await ui.readClipboard();
  expect(await callApi(secret)).toBe(200);

  await ui.page.reload();
  await keys.getByRole('row').filter({ hasText: 'Stream deck' }).waitFor();
  expect(await ui.page.content()).not.toContain(secret);

  await keys.getByRole('button', { name: 'Revoke Stream deck' }).click();
  const question = ui.page.getByRole('alertdialog', { name: 'Revoke Stream deck?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await callApi(secret)).toBe(200);
  await keys.getByRole('button', { name: 'Revoke Stream deck' }).click();
  await question.getByRole('button', { name: 'Revoke key' }).click();
  await keys.getByText('No API keys yet.').waitFor();
  expect(await callApi(secret)).toBe(401);
});

test('a new API key keeps an outdated page from reloading until it is copied, on any screen', async ({ expect }) => {
  let socket: PageSocket | undefined;
  const page = await ui.openPage('#/settings', async (opened) => {
    socket = await holdPageSocket(opened);
  });
  const create = async (name: string) => {
    await page.getByRole('textbox', { name: 'Name of the new key' }).fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText(`${name} is ready.`).waitFor();
  };
  await create('Copied at once');
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await page.getByText('API key copied').first().waitFor();
  await create('Kept over an update');
  await create('Revoked elsewhere');
  await goTo(page, '#/streams');
  let asked = 0;
  await page.route('**/build', async (route) => {
    asked += 1;
    await route.fulfill({ body: '<script type="module" src="./assets/index-next.js"></script>' });
  });
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await socket?.lose();
  if (socket) socket.isOpen = true;
  await expect.poll(() => asked).toBe(1);
  await goTo(page, '#/settings');
  const { apiKey } = await ui.contract();
  const isRevoked = ({ name }: { name: string }) => name === 'Revoked elsewhere';
  const revoked = (await waitUntil(await apiKey.watchAll(), (all) => all.some(isRevoked))).find(isRevoked);
  await apiKey.revoke({ id: revoked?.id ?? '' });
  await page.getByText('Revoked elsewhere is ready.').waitFor({ state: 'detached' });
  expect([await page.getByText('Kept over an update is ready.').isVisible(), asked, loads]).toEqual([true, 1, 0]);

  await page.getByRole('button', { name: "I've copied it" }).first().click();
  await expect.poll(() => [asked, loads]).toEqual([2, 1]);
  await page.close();
});

test('a new API key is copied without being shown, revealed for a moment, and not offered once it is revoked elsewhere', async () => {
  const { page } = ui;
  const keys = page.getByRole('region', { name: 'API keys' });
  await keys.getByRole('textbox', { name: 'Name of the new key' }).fill('Shared screen');
  await keys.getByRole('button', { name: 'Create key' }).click();
  await keys.getByRole('status').getByText('Shared screen is ready.').waitFor();
  await keys.getByRole('button', { name: 'Copy API key' }).click();
  await page.getByText('API key copied').first().waitFor();
  const secret = await ui.readClipboard();
  expect(await callApi(secret)).toBe(200);
  // Viewers of a shared screen must not read it.
  expect(await page.content()).not.toContain(secret);

  await revealKey(page, 'API key');
  await keys.getByText(secret).waitFor();
  // Screen readers would speak it, maybe into a broadcast.
  for (const status of await page.getByRole('status').allTextContents()) expect(status).not.toContain(secret);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await keys.getByRole('button', { name: 'Reveal API key' }).waitFor();
  expect(await page.content()).not.toContain(secret);

  const { apiKey } = await ui.contract();
  const isShared = ({ name }: { name: string }) => name === 'Shared screen';
  const made = (await waitUntil(await apiKey.watchAll(), (all) => all.some(isShared))).find(isShared);
  await apiKey.revoke({ id: made?.id ?? '' });
  await keys.getByText('Shared screen is ready.').waitFor({ state: 'detached' });
});

test('settings are checked while typing, saved, and kept after a reload', async () => {
  const service = ui.page.getByRole('region', { name: 'Service', exact: true });
  const window = service.getByRole('textbox', { name: 'Reconnect window' });
  await window.fill('4');
  await expect.poll(() => service.getByText('Use 5 to 75 seconds.').isVisible()).toBe(true);
  await service.getByRole('button', { name: 'Save' }).click();
  await ui.page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await window.fill('70');
  await service.getByRole('textbox', { name: 'Region' }).fill('FRA');
  const lookahead = service.getByRole('checkbox', { name: /^Look ahead/ });
  expect(await lookahead.isChecked()).toBe(false);
  await lookahead.check();
  const target = service.getByRole('textbox', { name: 'Loudness target' });
  expect(await target.inputValue()).toBe('-16');
  await target.fill('23');
  await expect.poll(() => service.getByText('Use −30 to −9 LUFS.').isVisible()).toBe(true);
  await target.fill('-23');
  await service.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Settings saved').first().waitFor();
  await ui.page.reload();
  await window.waitFor();
  await expect.poll(() => window.inputValue()).toBe('70');
  await expect.poll(() => service.getByRole('textbox', { name: 'Region' }).inputValue()).toBe('fra');
  await expect.poll(() => lookahead.isChecked()).toBe(true);
  await expect.poll(() => target.inputValue()).toBe('-23');

  // The same value in another spelling leaves nothing to save.
  await target.fill('−23');
  await ui.page.getByText('Unsaved changes').waitFor();
  await service.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  expect(await target.inputValue()).toBe('-23');
});

test('unsaved edits are not discarded without asking', async () => {
  const window = ui.page
    .getByRole('region', { name: 'Service', exact: true })
    .getByRole('textbox', { name: 'Reconnect window' });
  const saved = await window.inputValue();
  expect(saved).not.toBe('30');
  await window.fill('30');
  await ui.page.getByText('Unsaved changes').waitFor();
  await ui.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Streams' }).click();
  const question = ui.page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => window.inputValue()).toBe('30');
  expect((await readAddress(ui.page)).hash).toBe('#/settings');
  await ui.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Streams' }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  await ui.goTo('#/settings');
  await window.waitFor();
  await expect.poll(() => window.inputValue()).toBe(saved);
});

test('a region that Go live still sends to is refused once, with where to change that', async () => {
  const { settings } = await ui.contract();
  const { regionCode } = await waitUntil(await settings.watch(), () => true);
  await settings.update({ regionChoice: regionCode });
  await ui.page.getByRole('textbox', { name: 'Region' }).fill('xyz');
  await ui.page.getByRole('button', { name: 'Save' }).click();
  const advice = ui.page.getByText(`Go live is set to ${regionCode.toUpperCase()}: choose another region in Regions first.`);
  await advice.waitFor();
  expect(await ui.page.getByText("These settings don't fit together.").count()).toBe(1);
  expect(await ui.page.getByText('regionChoice').count()).toBe(0);
  await settings.update({ regionChoice: 'automatic' });
  await ui.page.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Settings saved').first().waitFor();
  await settings.update({ regionCode });
});

test('the installation tells its data folder, its ffmpeg and where secrets are', async () => {
  const installation = ui.page.getByRole('region', { name: 'This installation' });
  await expect
    .poll(() => installation.getByRole('group', { name: 'Data folder' }).locator('code').textContent())
    .toBe(ui.host.dataFolder);
  await expect.poll(() => installation.getByText(/found on PATH|installed with Tallylight|named by/).isVisible()).toBe(true);
  await expect.poll(() => installation.getByText(/key in memory/).isVisible()).toBe(true);
  await installation.getByText('Off. HTTPS and RTMPS need a TLS certificate and its key.').waitFor();
  expect(ui.complaints).toEqual([]);
});

test('what another page or the command line changes is shown at once, and what was edited here stays', async () => {
  const window = ui.page.getByRole('textbox', { name: 'Live window' });
  const reconnect = ui.page.getByRole('textbox', { name: 'Reconnect window' });
  await window.waitFor();
  await reconnect.fill('33');
  // What is put back is no edit.
  const shown = await window.inputValue();
  await window.fill('600');
  await window.fill(shown);
  const app = await ui.contract();
  await app.settings.update({ liveWindowSeconds: 240 });
  const made = await app.apiKey.create({ name: 'From another page' });
  await expect.poll(() => window.inputValue()).toBe('240');
  expect(await reconnect.inputValue()).toBe('33');
  const row = (name: string) => ui.page.getByRole('row').filter({ hasText: name });
  await row('From another page').waitFor();
  const secret = await ui.host.createApiKey('From the command line');
  await row('From the command line').getByText('never').waitFor();
  expect(await callApi(secret)).toBe(200);
  await row('From the command line').getByText('just now').waitFor();
  // A question about a key that is gone is none.
  await ui.page.getByRole('button', { name: 'Revoke From another page' }).click();
  const question = ui.page.getByRole('alertdialog', { name: 'Revoke From another page?' });
  await question.waitFor();
  await app.apiKey.revoke({ id: made.apiKey.id });
  await question.waitFor({ state: 'detached' });
  expect(await row('From another page').count()).toBe(0);
});

test("why API keys can't be shown is said, until they can", async () => {
  const keys = ui.page.getByRole('region', { name: 'API keys' });
  await keys.getByRole('row').or(keys.getByText('No API keys yet.')).first().waitFor();
  using db = openStoreAsRival(ui.host.dataFolder);
  db.exec('ALTER TABLE api_key RENAME TO api_key_away');
  await ui.page.reload();
  await keys.getByRole('alert').getByText("Can't show the API keys").waitFor();
  db.exec('ALTER TABLE api_key_away RENAME TO api_key');
  await keys.getByRole('row').or(keys.getByText('No API keys yet.')).first().waitFor();
  expect(await keys.getByRole('alert').count()).toBe(0);
});

test('why an API key was not created is announced', async () => {
  const keys = ui.page.getByRole('region', { name: 'API keys' });
  await keys.getByRole('row').or(keys.getByText('No API keys yet.')).first().waitFor();
  using db = openStoreAsRival(ui.host.dataFolder);
  db.exec("CREATE TRIGGER refuse BEFORE INSERT ON api_key BEGIN SELECT RAISE(FAIL, 'refused'); END");
  await keys.getByRole('textbox', { name: 'Name of the new key' }).fill('Refused');
  await keys.getByRole('button', { name: 'Create key' }).click();
  await keys.getByRole('alert').waitFor();
  db.exec('DROP TRIGGER refuse');
  await keys.getByRole('button', { name: 'Create key' }).click();
  await keys.getByText('Refused is ready.').waitFor();
  expect(await keys.getByRole('alert').count()).toBe(0);
});

test('what is typed while the service saves stays, and each new key is shown until it is dismissed', async () => {
  let socket!: PageSocket;
  const page = await ui.openPage('#/settings', async (opened) => {
    socket = await holdPageSocket(opened);
  });
  const app = await ui.contract();
  const liveWindow = page.getByRole('textbox', { name: 'Live window' });
  await page.getByRole('textbox', { name: 'Reconnect window' }).fill('41');
  let release = socket.hold();
  await page.getByRole('button', { name: 'Save' }).click();
  await waitUntil(await app.settings.watch(), ({ reconnectWindowSeconds }) => reconnectWindowSeconds === 41);
  await liveWindow.fill('301');
  release();
  await page.getByText('Settings saved').first().waitFor();
  await page.getByText('Unsaved changes').waitFor();
  expect(await liveWindow.inputValue()).toBe('301');
  await page.getByRole('button', { name: 'Discard' }).click();

  const name = page.getByRole('textbox', { name: 'Name of the new key' });
  const create = page.getByRole('button', { name: 'Create key' });
  await name.fill('First key');
  release = socket.hold();
  await create.click();
  await waitUntil(await app.apiKey.watchAll(), (keys) => keys.some((key) => key.name === 'First key'));
  await name.fill('Second key');
  release();
  await page.getByText('First key is ready.').waitFor();
  expect(await name.inputValue()).toBe('Second key');
  await create.click();
  await page.getByText('Second key is ready.').waitFor();
  await page.getByText('First key is ready.').waitFor();
  await page.getByRole('button', { name: "I've copied it" }).first().click();
  await page.getByText('Second key is ready.').waitFor({ state: 'detached' });
  await page.getByText('First key is ready.').waitFor();

  await goTo(page, '#/regions');
  const network = page.getByRole('textbox', { name: 'Network' });
  await network.fill('203.0.113.0/24');
  release = socket.hold();
  await page.getByRole('button', { name: 'Add network' }).click();
  await waitUntil(await app.settings.watch(), ({ regionNetworks }) => regionNetworks.length === 1);
  await network.fill('198.51.100.0/24');
  release();
  await page.getByRole('listitem').filter({ hasText: '203.0.113.0/24' }).waitFor();
  await page.locator('button:not([aria-busy])', { hasText: 'Add network' }).click();
  await page.getByRole('listitem').filter({ hasText: '198.51.100.0/24' }).waitFor();
  await page.close();
});

test('how this browser tells of a lost broadcast is the same in all of its tabs', async () => {
  const other = await ui.openPage('#/settings');
  const [here, there] = [ui.page, other].map((page) => page.getByRole('checkbox', { name: /^Play a sound/ })) as [
    Locator,
    Locator,
  ];
  await there.waitFor();
  await here.check();
  await expect.poll(() => there.isChecked()).toBe(true);
  await there.uncheck();
  await expect.poll(() => here.isChecked()).toBe(false);
  await other.close();
});
