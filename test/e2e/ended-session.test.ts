import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { startTestHost } from '../support/headless-host.ts';

let ui: BrowserUi;

beforeAll(async () => {
  ui = await openBrowserUi();
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
  // A host that was killed leaves its folder.
  await rm(ui.host.dataFolder, { recursive: true, force: true });
});

test('a page whose service started anew says how to come back, and the new address brings back all its tabs', async () => {
  const { port } = new URL(ui.host.ready.uiUrl);
  await ui.host.kill();
  await ui.page.getByText('Lost the service, reconnecting…').waitFor();
  await using again = await startTestHost({ dataFolder: ui.host.dataFolder, args: ['--http-port', port] });
  await ui.page.getByText('Open the latest URL that Tallylight printed.').waitFor();
  // In another tab: this one comes back by itself.
  const tab = await ui.page.context().newPage();
  await tab.goto(again.ready.uiUrl);
  for (const page of [tab, ui.page]) {
    await page.getByText("This page's session has ended.").waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  }
});
