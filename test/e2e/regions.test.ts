import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, readAddress } from '../support/browser-ui.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { waitUntil } from '../support/wait-until.ts';

let ui: BrowserUi;
beforeAll(async () => {
  ui = await openBrowserUi({ args: ['--region', 'ber'] });
});
beforeEach(() => ui.renewPage('#/regions'));
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

const row = (code: string) => ui.page.getByRole('row', { name: new RegExp(`^${code}`) });
const dialog = (name: string) => ui.page.getByRole('dialog', { name });
/** As long as the question is open, nothing behind it has a role. */
async function confirmRemoval({ page } = ui) {
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Remove region' }).click();
  await question.waitFor({ state: 'detached' });
}
const askIngest = async (query: string) => (await fetch(`${ui.host.ready.apiBaseUrl}/ingest${query}`)).json();
const readSettings = async () => waitUntil(await (await ui.contract()).settings.watch(), () => true);
const loopbackUrls = (port: number) => ({
  ingest: `rtmp://127.0.0.1:${port}/live`,
  playback: `http://127.0.0.1:${port}/hls`,
  base: `http://127.0.0.1:${port}`,
});

/** Something that takes connections, as an ingest does. */
async function startFarIngest() {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket.on('error', () => {}).resume());
  });
  const { port, [Symbol.asyncDispose]: close } = await listenOnLoopback(server, sockets);
  return { port, urls: loopbackUrls(port), connections: () => count, [Symbol.asyncDispose]: close };
}

test('a region is added with its faults told, measured, edited and removed; the interface follows', async () => {
  await using far = await startFarIngest();
  const own = row('BER');
  await own.getByText('This computer').waitFor();
  await own.getByText('Nearest').waitFor();
  await expect.poll(() => own.getByText(/^[\d.]+\sms/).isVisible()).toBe(true);

  await ui.page.getByRole('button', { name: 'Add region' }).click();
  const adding = dialog('Add region');
  await adding.getByRole('textbox', { name: 'Region' }).fill('BER');
  await adding.getByRole('textbox', { name: 'Ingest URL' }).fill(far.urls.playback);
  await adding.getByRole('textbox', { name: 'Playback URL' }).fill(far.urls.playback);
  await adding.getByText('Use a URL like "rtmps://ber-rtmp.example.com/live"').waitFor();
  await adding.getByRole('button', { name: 'Save' }).click();
  await ui.page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await adding.getByRole('textbox', { name: 'Ingest URL' }).fill(far.urls.ingest);
  await adding.getByRole('textbox', { name: 'Region' }).fill('JFK');
  await adding.getByRole('button', { name: 'Save' }).click();
  await adding.waitFor({ state: 'detached' });

  const added = row('JFK');
  await expect.poll(() => added.getByText(/^[\d.]+\sms/).isVisible()).toBe(true);
  expect(await askIngest('?first=false')).toEqual([expect.objectContaining({ ingest: ui.host.ready.ingestBaseUrl }), far.urls]);

  // Measured again, on request.
  // The system connects them: this process may hear of the last ones after the page has shown their time.
  await expect.poll(far.connections).toBe(5);
  await ui.page.getByRole('button', { name: 'Measure again' }).click();
  await expect.poll(far.connections).toBe(5 + 5);

  await added.getByRole('button', { name: 'Edit JFK' }).click();
  const editing = dialog('Edit JFK');
  // It was made from the playback URL, and is again.
  await expect.poll(() => editing.getByRole('textbox', { name: 'Base URL' }).inputValue()).toBe('');
  await editing.getByRole('textbox', { name: 'Ingest URL' }).fill('rtmp://127.0.0.1:1/live');
  await editing.getByRole('button', { name: 'Save' }).click();
  await editing.waitFor({ state: 'detached' });
  await added.getByText("Can't be reached. 127.0.0.1:1 refused the connection.").waitFor();
  await expect.poll(() => added.getByText(/ago$/).isVisible()).toBe(true);

  await added.getByRole('button', { name: 'Remove JFK' }).click();
  await ui.page.getByRole('alertdialog', { name: 'Remove JFK?' }).waitFor();
  await confirmRemoval();
  await added.waitFor({ state: 'detached' });
  expect(await askIngest('?first=false')).toHaveLength(1);
  expect(ui.complaints).toEqual([]);
});

test('the question about a region closes when another page removes the region, and stays closed when it is added again', async () => {
  const { settings } = await ui.contract();
  const regions = [{ code: 'ams', urls: loopbackUrls(1) }];
  await settings.update({ regions });
  await row('AMS').getByRole('button', { name: 'Remove AMS' }).click();
  const question = ui.page.getByRole('alertdialog');
  await question.waitFor();
  await settings.update({ regions: [] });
  await question.waitFor({ state: 'detached' });
  await settings.update({ regions });
  await row('AMS').waitFor();
  expect(await question.count()).toBe(0);
  await settings.update({ regions: [] });
});

test('the region of Go live is chosen, and whether it may change by itself; a chosen one that is removed is automatic again', async () => {
  const { settings } = await ui.contract();
  await settings.update({ regions: [{ code: 'ams', urls: loopbackUrls(1) }] });
  const choice = ui.page.getByRole('combobox', { name: 'Go live sends to' });
  await expect.poll(() => choice.textContent()).toBe('The nearest: BER');
  await choice.click();
  await ui.page.getByRole('option', { name: 'AMS' }).click();
  await row('AMS').getByText('Chosen for Go live').waitFor();
  await ui.page.getByRole('checkbox', { name: /^Switch to the next nearest region/ }).check();
  await expect.poll(readSettings).toMatchObject({ regionChoice: 'ams', changesRegion: true });
  await row('AMS').getByRole('button', { name: 'Remove AMS' }).click();
  await confirmRemoval();
  await expect.poll(() => choice.textContent()).toBe('The nearest: BER');
  expect(await settings.update({ changesRegion: false })).toMatchObject({ regions: [], regionChoice: 'automatic' });
});

test('networks are added and removed, and go with their region', async () => {
  const { settings } = await ui.contract();
  await settings.update({ regions: [{ code: 'sin', urls: loopbackUrls(1) }], regionNetworks: [] });
  await ui.page.getByText("None: every caller from elsewhere gets this computer's region.").waitFor();
  const network = ui.page.getByRole('textbox', { name: 'Network' });
  // A network is listed before it is on disk, and the button answers to no press until then.
  const add = ui.page.locator('button:not([aria-busy])', { hasText: 'Add network' });
  await network.fill('203.0.113.7');
  await add.click();
  await ui.page.getByText('Use a network like 203.0.113.0/24 or 2001:db8::/32.').waitFor();
  await network.fill('203.0.113.0/24');
  await ui.page.getByRole('combobox', { name: 'Nearest region' }).click();
  await ui.page.getByRole('option', { name: 'SIN' }).click();
  await add.click();
  const listed = ui.page.getByRole('list', { name: 'Networks' }).getByRole('listitem');
  await expect.poll(() => listed.allTextContents()).toEqual(['203.0.113.0/24SIN']);
  await network.fill('2001:db8::/32');
  await add.click();
  await expect.poll(() => listed.allTextContents()).toEqual(['203.0.113.0/24SIN', '2001:db8::/32SIN']);
  await ui.page.getByRole('button', { name: 'Remove 203.0.113.0/24' }).click();
  await expect.poll(() => listed.allTextContents()).toEqual(['2001:db8::/32SIN']);
  expect((await readSettings()).regionNetworks).toEqual([{ network: '2001:db8::/32', region: 'sin' }]);

  // A region keeps its networks under another code, and stays the one of Go live.
  await settings.update({ regionChoice: 'sin' });
  await row('SIN').getByText('Chosen for Go live').waitFor();
  await row('SIN').getByRole('button', { name: 'Edit SIN' }).click();
  await dialog('Edit SIN').getByRole('textbox', { name: 'Region' }).fill('HKG');
  await dialog('Edit SIN').getByRole('button', { name: 'Save' }).click();
  await row('HKG').getByText('Chosen for Go live').waitFor();
  await expect.poll(() => listed.allTextContents()).toEqual(['2001:db8::/32HKG']);

  await row('HKG').getByRole('button', { name: 'Remove HKG' }).click();
  await confirmRemoval();
  await listed.first().waitFor({ state: 'detached' });
  expect(await readSettings()).toMatchObject({ regions: [], regionNetworks: [] });
  expect(ui.complaints).toEqual([]);
});

test('regions that were given at the start are shown with where, and cannot be changed', async () => {
  await using given = await openBrowserUi({
    args: ['--region', 'ber', '--service-domain', 'regions.invalid', '--regions', 'ber, jfk'],
    env: { TALLYLIGHT_REGION_NETWORKS: '203.0.113.0/24 jfk' },
  });
  await given.goTo('#/regions');
  const { page } = given;
  await page.getByText('The list is set by the option --regions.').waitFor();
  await page.getByText('The networks are set by the environment variable TALLYLIGHT_REGION_NETWORKS.').waitFor();
  await page.getByText('rtmp://jfk-rtmp.regions.invalid/live').waitFor();
  // The domain doesn't exist, so its region can't be reached; which failure it is depends on the network of this computer.
  await page.getByRole('row', { name: /^JFK/ }).getByText("Can't be reached.").waitFor();
  await page.getByRole('row', { name: /^BER/ }).getByText('Nearest').waitFor();
  expect(await page.getByRole('button', { name: /^(Edit|Remove|Add)/ }).count()).toBe(0);
});

test('a region is removed beside networks that were given for others; this computer keeps URLs made from its domain', async () => {
  await using given = await openBrowserUi({
    args: ['--region', 'ber', '--service-domain', 'regions.invalid'],
    env: { TALLYLIGHT_REGION_NETWORKS: '203.0.113.0/24 ber' },
  });
  const { settings } = await given.contract();
  await settings.update({ regions: [{ code: 'ber' }, { code: 'sin', urls: loopbackUrls(1) }] });
  await given.goTo('#/regions');
  await given.page.getByRole('button', { name: 'Remove SIN' }).click();
  await confirmRemoval(given);
  await given.page.getByRole('button', { name: 'Remove BER' }).click();
  await given.page.getByText('This computer stays a region, with URLs made from regions.invalid.').waitFor();
  await confirmRemoval(given);
  expect(await waitUntil(await settings.watch(), () => true)).toMatchObject({ regions: [] });
});

test('a letter typed on a list chooses from it, and is no shortcut', async () => {
  const list = ui.page.getByRole('combobox').first();
  await list.focus();
  await ui.page.keyboard.press('t');
  expect((await readAddress(ui.page)).hash).toBe('#/regions');
  await ui.page.getByRole('heading', { level: 1 }).click();
  await ui.page.keyboard.press('t');
  await expect.poll(async () => (await readAddress(ui.page)).hash).toBe('#/tally');
});
