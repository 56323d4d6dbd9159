import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromiumProfile } from './chromium.ts';
import { startTestHost, type TestHost } from './headless-host.ts';

/** The built headless host with its screens open in Chromium. */
export interface BrowserUi extends AsyncDisposable {
  host: TestHost;
  page: Page;
  /** Everything the page complained of: errors, and violations of its Content-Security-Policy. */
  complaints: string[];
  /** Goes to a place by its hash, like `#/settings`. */
  goTo(hash: string): Promise<void>;
  /** Opens another page of this browser at a place; `prepareIt` sees it before it loads. Its complaints count as those of `page`. */
  openPage(hash: string, prepareIt?: (page: Page) => Promise<void>): Promise<Page>;
  /** Closes `page` and opens another in its place, prepared as that one was, so that no test finds what one before it left open. */
  renewPage(hash?: string): Promise<void>;
  /** What the clipboard holds. */
  readClipboard(): Promise<string>;
}

/** Requests that fail on purpose (a stream that has gone off air) are told on the console too. */
const expectedComplaint = /Failed to load resource|WebSocket connection/;

/** Starts host and browser, and opens the printed URL. `prepare` sees the page before it loads. */
export async function openBrowserUi({
  args = [],
  env = {},
  prepare = async () => {},
}: {
  args?: readonly string[];
  /** What the host's environment has beside this one's. */
  env?: Record<string, string>;
  prepare?: (page: Page) => Promise<void>;
} = {}): Promise<BrowserUi> {
  const profile = await mkdtemp(join(tmpdir(), 'tallylight-ui-'));
  const host = await startTestHost({ args, env });
  const context = await launchChromiumProfile(profile);
  const { origin } = new URL(host.ready.uiUrl);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const complaints: string[] = [];
  const open = async (page: Page, url: string, prepareIt: (page: Page) => Promise<void>) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !expectedComplaint.test(message.text())) complaints.push(message.text());
    });
    await prepareIt(page);
    await page.goto(url);
    return page;
  };
  const places = (page: Page) => page.getByRole('navigation', { name: 'Places' });
  const first = await open(context.pages()[0] ?? (await context.newPage()), host.ready.uiUrl, prepare);
  await places(first).waitFor();

  const ui: BrowserUi = {
    host,
    page: first,
    complaints,
    async goTo(hash) {
      await ui.page.evaluate((next) => {
        window.location.hash = next;
      }, hash);
    },
    openPage: async (hash, prepareIt = async () => {}) => open(await context.newPage(), `${origin}/${hash}`, prepareIt),
    async renewPage(hash = '') {
      const left = ui.page;
      ui.page = await open(await context.newPage(), `${origin}/${hash}`, prepare);
      await left.close();
      await ui.page.bringToFront();
      await places(ui.page).waitFor();
    },
    readClipboard: () => ui.page.evaluate(() => navigator.clipboard.readText()),
    async [Symbol.asyncDispose]() {
      await context.close();
      await host.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  return ui;
}
