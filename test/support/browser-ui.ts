import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Profile } from '../../src/shared/model/profile.ts';
import { launchChromiumProfile } from './chromium.ts';
import { startTestHost, type TestHost } from './headless-host.ts';
import { type ContractClient, createStream, openHostContract } from './host-contract.ts';

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
  /** The host's contract, on a connection of its own that is opened when first asked for. */
  contract(): Promise<ContractClient>;
  /** Creates a stream over the contract, without the screens. */
  createStream(stream: { name: string; profiles?: readonly Profile[] }): Promise<CreatedStream>;
  /** The clipboard's text. */
  readClipboard(): Promise<string>;
}

/** A new stream. */
export interface CreatedStream {
  id: string;
  streamKey: string;
  playbackId: string;
  /** The address of its Studio. */
  hash: string;
  /** Its ingest URL and key, as ffmpeg takes them. */
  ingestUrl: string;
}

/** The size of a page, in CSS pixels. */
export interface PageSize {
  width: number;
  height: number;
}

/** The smallest window that shows everything at once. Without a GPU, a live picture costs as much as its page is large. */
export const smallPage: PageSize = { width: 900, height: 600 };

/** Goes to a screen by its hash, without reloading the page. */
export const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((next) => {
    window.location.hash = next;
  }, hash);

/** A page's address as the page itself reads it: Playwright learns of a change within the page a moment later. */
export const readAddress = async (page: Page): Promise<URL> => new URL(await page.evaluate(() => window.location.href));

/** The console also reports requests that fail on purpose (a stream that has gone off air). */
const expectedComplaint = /Failed to load resource|WebSocket connection/;

/** Starts host and browser, and opens the printed URL. `prepare` gets the page before it loads. */
export async function openBrowserUi({
  args = [],
  env = {},
  size = { width: 1440, height: 900 },
  chromiumArgs = [],
  prepare = async () => {},
}: {
  args?: readonly string[];
  /** Extra variables for the host's environment. */
  env?: Record<string, string>;
  /** The size of its pages. */
  size?: PageSize;
  /** More arguments for Chromium. */
  chromiumArgs?: string[];
  prepare?: (page: Page) => Promise<void>;
} = {}): Promise<BrowserUi> {
  const profile = await mkdtemp(join(tmpdir(), 'tallylight-ui-'));
  const host = await startTestHost({ args, env });
  const context = await launchChromiumProfile(profile, { args: chromiumArgs });
  const { origin } = new URL(host.ready.uiUrl);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const complaints: string[] = [];
  const open = async (page: Page, url: string, prepareIt: (page: Page) => Promise<void>) => {
    await page.setViewportSize(size);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !expectedComplaint.test(message.text())) complaints.push(message.text());
    });
    await prepareIt(page);
    await page.goto(url);
    return page;
  };
  // An open dialog hides them from assistive technology.
  const screens = (page: Page) => page.getByRole('navigation', { name: 'Screens', includeHidden: true });
  const first = await open(context.pages()[0] ?? (await context.newPage()), host.ready.uiUrl, prepare);
  await screens(first).waitFor();

  let connected: ReturnType<typeof openHostContract> | undefined;
  const contract = async () => {
    // The first URL's token was the first page's.
    connected ??= host.getEvent('ui-url').then(({ uiUrl }) => openHostContract(String(uiUrl)));
    return (await connected).app;
  };

  const ui: BrowserUi = {
    host,
    page: first,
    complaints,
    goTo: (hash) => goTo(ui.page, hash),
    openPage: async (hash, prepareIt = async () => {}) => open(await context.newPage(), `${origin}/${hash}`, prepareIt),
    async renewPage(hash = '') {
      const left = ui.page;
      ui.page = await open(await context.newPage(), `${origin}/${hash}`, prepare);
      await left.close();
      await ui.page.bringToFront();
      await screens(ui.page).waitFor();
    },
    contract,
    async createStream(options) {
      const stream = await createStream(await contract(), options);
      return { ...stream, hash: `#/studio/${stream.id}`, ingestUrl: `${host.ready.ingestBaseUrl}/${stream.streamKey}` };
    },
    readClipboard: () => ui.page.evaluate(() => navigator.clipboard.readText()),
    async [Symbol.asyncDispose]() {
      (await connected)?.[Symbol.dispose]();
      await context.close();
      await host.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  return ui;
}
