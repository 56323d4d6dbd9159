import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { startTestHost, type TestHost } from '../support/headless-host.ts';
import { findQuietPort } from '../support/quiet-port.ts';
import { makeStream } from '../support/streams-page.ts';

let ui: BrowserUi;
/** The host that runs now. */
let host: TestHost;

beforeAll(async () => {
  ui = await openBrowserUi({ args: ['--http-port', String(await findQuietPort())] });
  host = ui.host;
});
beforeEach(() => ui.renewPage());
afterAll(async () => {
  await host.close();
  await ui[Symbol.asyncDispose]();
  // A killed host leaves its folder behind.
  await rm(ui.host.dataFolder, { recursive: true, force: true });
});

const lost = (page: Page) => page.getByText('Lost connection to the service, reconnecting…', { exact: true });
const ended = (page: Page) => page.getByText("This page's session has ended.", { exact: true });

/** Kills the service, and restarts it on the same port once the page has lost the connection. */
async function restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const { port } = new URL(host.ready.uiUrl);
  await host.kill();
  await lost(ui.page).waitFor();
  await meanwhile();
  host = await startTestHost({ dataFolder: host.dataFolder, args: ['--http-port', port] });
}

test('a page whose service was killed reconnects by itself once the service runs again', async () => {
  await restart();
  await lost(ui.page).waitFor({ state: 'detached' });
  await makeStream(ui, 'Back again');
  expect(await ended(ui.page).count()).toBe(0);
  // A new URL would have been printed if the old one had been used.
  expect(host.lines.filter((line) => line.includes('"ui-url"'))).toEqual([]);
});

test('pages whose session is gone say how to get a new address, which restores them all', async () => {
  const other = await ui.page.context().newPage();
  await other.goto(new URL('/#/tally', host.ready.uiUrl).href);
  await restart(() => rm(join(host.dataFolder, 'browser-sessions.json')));
  for (const page of [ui.page, other]) {
    await ended(page).waitFor();
    await page
      .getByText(
        "Open the last address that Tallylight printed. If you can't find it, get another with: npm run --silent tallylight -- address",
        { exact: true },
      )
      .waitFor();
  }
  // In another tab, so that these pages reconnect by themselves.
  const tab = await ui.page.context().newPage();
  await tab.goto(host.ready.uiUrl);
  await tab.getByRole('heading', { name: 'Streams', level: 1 }).waitFor();
  for (const page of [ui.page, other]) await ended(page).waitFor({ state: 'detached' });
  await makeStream(ui, 'Back again');
});
