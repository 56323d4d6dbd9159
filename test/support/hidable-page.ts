import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';
import { quiet } from './chromium.ts';
import { getChromium } from './find-chromium.ts';

/** A page of a Chromium of its own that can be hidden as on a desktop. */
export interface HidablePage extends AsyncDisposable {
  page: Page;
  /** Minimizes its window, which hides the page and has Chromium slow its timers and pause muted videos; or shows it again. */
  setHidden(isHidden: boolean): Promise<void>;
}

/**
 * Opens a page that can be hidden. In a Chromium that Playwright has started every page stays visible, since it emulates the focus
 * (Emulation.setFocusEmulationEnabled) and turns off the throttling of hidden pages. While the page is hidden, it draws no frames, and
 * what Playwright awaits by frames (`waitFor`, `waitForFunction`) doesn't come: use `expect.poll`.
 */
export async function openHidablePage(): Promise<HidablePage> {
  const profile = await mkdtemp(join(tmpdir(), 'tallylight-hidable-'));
  const child = spawn(
    getChromium(),
    [...quiet, '--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // Debian's command is a script, which would leave its Chromium behind if it were killed. Both have closed the pipe once they are gone.
  const gone = new Promise((resolve) => child.once('close', resolve));
  const browser = await chromium.connectOverCDP(await readAddress(createInterface(child.stderr)), { noDefaults: true });
  child.stderr.resume();
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await context?.newPage());
  if (context === undefined || page === undefined) throw new Error('Chromium has no page');
  const devTools = await context.newCDPSession(page);
  return {
    page,
    async setHidden(isHidden) {
      const { windowId } = await devTools.send('Browser.getWindowForTarget');
      const windowState = isHidden ? 'minimized' : 'normal';
      await devTools.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
      await page.evaluate(async (wanted) => {
        while (document.hidden !== wanted)
          await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
      }, isHidden);
    },
    async [Symbol.asyncDispose]() {
      await devTools.send('Browser.close');
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** The address of DevTools, which Chromium says as it starts. */
async function readAddress(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [address] = /ws:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("Chromium hasn't started");
}
