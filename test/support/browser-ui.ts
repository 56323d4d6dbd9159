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
  /** Everything the page reported: errors, and violations of its Content-Security-Policy. */
  complaints: string[];
  /** Goes to a screen by its hash, like `#/settings`. */
  goTo(hash: string): Promise<void>;
  /** Opens another page of this browser at a screen; `prepareIt` runs before it loads. Its errors count as those of `page`. */
  openPage(hash: string, prepareIt?: (page: Page) => Promise<void>): Promise<Page>;
  /** Replaces `page` with a new one, prepared the same way, so that no test finds what an earlier one left open. */
  renewPage(hash?: string): Promise<void>;
  /** The clipboard's text. */
  readClipboard(): Promise<string>;
}

/** The console also reports requests that fail on purpose (a stream that has gone off air). */
const expectedComplaint = /Failed to load resource|WebSocket connection/;

/** Starts host and browser, and opens the printed URL. `prepare` gets the page before it loads. */
export async function openBrowserUi({
  args = [],
  env = {},
  prepare = async () => {},
}: {
  args?: readonly string[];
  /** Extra variables for the host's environment. */
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
