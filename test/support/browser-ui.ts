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
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 1440, height: 900 });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedComplaint.test(message.text())) complaints.push(message.text());
  });
  await prepare(page);
  await page.goto(host.ready.uiUrl);
  await page.getByRole('navigation', { name: 'Places' }).waitFor();

  return {
    host,
    page,
    complaints,
    async goTo(hash) {
      await page.evaluate((next) => {
        window.location.hash = next;
      }, hash);
    },
    readClipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    async [Symbol.asyncDispose]() {
      await context.close();
      await host.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
