import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi, readAddress } from '../support/browser-ui.ts';
import { makeStream, streamsPage } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let studio: string;

beforeAll(async () => {
  ui = await openBrowserUi();
  await makeStream(ui, 'Resting', 'Recommended');
  studio = (await readAddress(ui.page)).hash;
  // After the start, the service tries its encoders for a while and then reports the results.
  await studioPage(ui.page)
    .health.getByText(/ works$/)
    .waitFor();
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** Runs in the page before its own code: counts timer callbacks, animation frames and document changes. */
function countWork(): void {
  const counts = { wakeUps: 0, frames: 0, changes: 0 };
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const schedule = window[name] as (run: () => void, ms?: number) => number;
    Object.assign(window, {
      [name]: (run: () => void, ms?: number) => {
        return schedule(() => {
          counts.wakeUps += 1;
          run();
        }, ms);
      },
    });
  }
  const request = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => {
    counts.frames += 1;
    return request(draw);
  };
  new MutationObserver((changes) => {
    counts.changes += changes.length;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  Object.assign(window, { workCounts: counts });
}

/** How long the page is watched at least: the ages in the rail are updated twice meanwhile. */
const seconds = 10;

/** Counts what an idle page does. The heartbeat is included, since it carries the time of the service. */
async function countIdleTime(page: Page, readMessages: () => number) {
  const readCounts = async () => {
    const counts = await page.evaluate(() => ({ ...(window as unknown as { workCounts: Record<string, number> }).workCounts }));
    return { ...counts, messages: readMessages() } as Record<string, number>;
  };
  // Waits until the work of opening the screen is done.
  let before = await readCounts();
  for (let isAtRest = false; !isAtRest; ) {
    await page.waitForTimeout(1_500);
    const now = await readCounts();
    isAtRest = now.changes === before.changes && now.frames === before.frames;
    before = now;
  }
  const beganAtMs = performance.now();
  await page.waitForTimeout(seconds * 1_000);
  const after = await readCounts();
  // A busy computer may take longer.
  const watchedSeconds = (performance.now() - beganAtMs) / 1_000;
  const animations = await page.evaluate(
    () => document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Number.POSITIVE_INFINITY).length,
  );
  const done = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]);
  return { watchedSeconds, animations, ...Object.fromEntries(done) };
}

// In parallel: each watches its own page, and mostly waits.
test.concurrent.each<[string, () => string, (page: Page) => Locator]>([
  ['Studio off air', () => studio, (page) => studioPage(page).goLive],
  ['the list of streams', () => '#/', (page) => streamsPage(page).link('Resting')],
  ['Settings', () => '#/settings', (page) => page.getByRole('textbox', { name: 'Service domain' })],
  ['the tally view', () => '#/tally', (page) => page.getByText('Off air', { exact: true })],
])('%s at rest draws nothing, animates nothing and receives only the heartbeat', async (_place, hash, findState) => {
  let messages = 0;
  const page = await ui.openPage(hash(), async (opened) => {
    await opened.addInitScript(countWork);
    opened.on('websocket', (socket) => {
      socket.on('framereceived', () => {
        messages += 1;
      });
    });
  });
  // A screen that waits for the service's answers seems at rest.
  await findState(page).waitFor();
  const { wakeUps, messages: heard, watchedSeconds, ...work } = await countIdleTime(page, () => messages);
  expect(work).toEqual({ changes: 0, frames: 0, animations: 0 });
  expect(heard).toBeLessThanOrEqual(watchedSeconds / 2 + 1);
  // The ages in the rail and in the list, and the watchdog of the heartbeat.
  expect(wakeUps).toBeLessThanOrEqual(watchedSeconds);
});
