import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { getChromium } from './find-chromium.ts';

/** Only the page: no background requests, no first-run screens. */
export const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A camera, a microphone and a screen that Chromium plays, allowed without a question. */
export const fakeMedia = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Starts headless Chromium on a profile that is deleted with it; videos may autoplay. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: getChromium(),
    headless: true,
    args: [...quiet, '--autoplay-policy=no-user-gesture-required'],
  });
}

/**
 * Starts headless Chromium on its own profile folder, at the size its pages ask for.
 *
 * @param options.endsWithSignals whether a signal that ends this process also closes Chromium at once.
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
