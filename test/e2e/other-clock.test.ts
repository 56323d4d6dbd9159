import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowserUi } from '../support/browser-ui.ts';
import { makeStream } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

/** A page on another computer, whose clock is `aheadMs` ahead of the service's. */
const setClock = (aheadMs: number) => async (page: Page) => {
  await page.addInitScript((ahead) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ahead;
  }, aheadMs);
};

/** Hours, minutes and seconds as seconds. */
const readClock = (text: string | null) => (text ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

test('a phone whose clock is five minutes ahead shows how long a stream is on air as the service counts it', async () => {
  await using ui = await openBrowserUi({ prepare: setClock(300_000) });
  const studio = studioPage(ui.page);
  await makeStream(ui, 'Seen from the sofa');
  await studio.goLive.click();
  await studio.timer.waitFor();
  await ui.goTo('#/streams');
  const row = ui.page.getByRole('main').getByRole('row', { name: /Seen from the sofa/ });
  expect(readClock(await row.getByText(/^\d+:\d\d:\d\d$/).textContent())).toBeLessThan(60);
  expect(await row.getByText(/^\d+ min ago$/).count()).toBe(0);
  await ui.goTo('#/tally');
  expect(readClock(await ui.page.getByRole('timer').textContent())).toBeLessThan(60);
});
