import { existsSync } from 'node:fs';
import { type BrowserContext, chromium } from 'playwright-core';

/** Where systems put a Chromium that decodes H.264 and AAC; Playwright's own does not. */
const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The Chromium to test with: the environment's `TALLYLIGHT_CHROMIUM`, else the first there is. */
export function findChromium(): string {
  const path = [process.env.TALLYLIGHT_CHROMIUM, ...usualPaths].find((candidate) => candidate && existsSync(candidate));
  if (path === undefined) {
    throw new Error(
      'No Chromium was found: install it (Debian and Ubuntu: apt-get install chromium), or set TALLYLIGHT_CHROMIUM',
    );
  }
  return path;
}

/** Nothing but the page: no look-ups of its own, no first-run screens. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium without a screen on a profile folder of its own, at the size its pages ask for. */
export function launchChromiumProfile(profileFolder: string, { args = [] }: { args?: string[] } = {}): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profileFolder, {
    executablePath: findChromium(),
    headless: true,
    viewport: null,
    args: [...quiet, ...args],
  });
}
