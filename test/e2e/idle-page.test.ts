import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserUi, openBrowserUi } from '../support/browser-ui.ts';
import { makeStream } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

let ui: BrowserUi;
let studio: string;
let messages = 0;

beforeAll(async () => {
  ui = await openBrowserUi({
    async prepare(page) {
      await page.addInitScript(countWork);
      page.on('websocket', (socket) => {
        socket.on('framereceived', () => {
          messages += 1;
        });
      });
    },
  });
  await makeStream(ui, 'Resting', 'Recommended');
  studio = new URL(ui.page.url()).hash;
  // What is said of a new stream goes by itself after a while.
  await ui.page.reload();
  // A service that has started tries its encoders for a while, and tells what came of it.
  await studioPage(ui.page)
    .health.getByText(/ works$/)
    .waitFor();
});
afterAll(async () => {
  await ui[Symbol.asyncDispose]();
});

/** In the page, before its own code: counts what timers run, what is drawn by frames, and what changes in the document. */
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

/** For how long the page is watched. */
const seconds = 12;

/** What the page does while nothing happens. Its clock is the service's: the heartbeat is a part of it. */
async function countIdleTime() {
  const { page } = ui;
  const readCounts = () =>
    page.evaluate(() => ({ ...(window as unknown as { workCounts: Record<string, number> }).workCounts }));
  // What opening the place began comes to its end.
  let before: Record<string, number> = { ...(await readCounts()), messages };
  for (let isAtRest = false; !isAtRest; ) {
    await page.waitForTimeout(3_000);
    const now: Record<string, number> = { ...(await readCounts()), messages };
    isAtRest = now.changes === before.changes && now.frames === before.frames;
    before = now;
  }
  await page.waitForTimeout(seconds * 1_000);
  const after = { ...(await readCounts()), messages };
  const animations = await page.evaluate(
    () => document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Number.POSITIVE_INFINITY).length,
  );
  const done = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]);
  return { ...Object.fromEntries(done), animations };
}

test.each([
  ['Studio off air', () => studio],
  ['the list of streams', () => '#/'],
  ['Settings', () => '#/settings'],
  ['the tally view', () => '#/tally'],
])('%s at rest draws nothing, animates nothing and hears nothing but the heartbeat', async (_place, hash) => {
  await ui.goTo(hash());
  await ui.page.getByRole('heading', { level: 1 }).waitFor();
  const { wakeUps, messages: heard, ...work } = await countIdleTime();
  expect(work).toEqual({ changes: 0, frames: 0, animations: 0 });
  expect(heard).toBeLessThanOrEqual(seconds / 2 + 1);
  // The ages in the rail and in the list, and the watch over the heartbeat.
  expect(wakeUps).toBeLessThanOrEqual(seconds);
});
