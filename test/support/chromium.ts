import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { getChromium } from './find-chromium.ts';

/** Nothing but the page: no look-ups of its own, no first-run screens. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium without a screen, on a profile that is gone with it; videos may play unasked. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: getChromium(),
    headless: true,
    args: [...quiet, '--autoplay-policy=no-user-gesture-required'],
  });
}

/**
 * Starts Chromium without a screen on a profile folder of its own, at the size its pages ask for.
 *
 * @param options.endsWithSignals whether a signal that ends this process is heeded by closing Chromium at once.
 */
export function launchChromiumProfile(
  profileFolder: string,
  { args = [], endsWithSignals = true }: { args?: string[]; endsWithSignals?: boolean } = {},
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profileFolder, {
    handleSIGINT: endsWithSignals,
    handleSIGTERM: endsWithSignals,
    handleSIGHUP: endsWithSignals,
    executablePath: getChromium(),
    headless: true,
    viewport: null,
    args: [...quiet, ...args],
  });
}
