import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('a page whose service started anew says how to come back, and the new address brings it back', async () => {
  const { port } = new URL(ui.host.ready.uiUrl);
  await ui.host.kill();
  await ui.page.getByText('Lost the service, reconnecting…').waitFor();
  await using again = await startTestHost({ dataFolder: ui.host.dataFolder, args: ['--http-port', port] });
  await ui.page.getByText('Open the address that Tallylight printed when it started.').waitFor();
  await ui.page.goto(again.ready.uiUrl);
  await ui.page.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  expect(await ui.page.getByText('session has ended').count()).toBe(0);
});
