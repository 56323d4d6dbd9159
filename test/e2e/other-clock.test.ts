import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowserUi } from '../support/browser-ui.ts';
import { makeStream } from '../support/streams-page.ts';
import { studioPage } from '../support/studio-page.ts';

/** Sets the page's clock `aheadMs` ahead of the service's, like that of another computer. */
const setClock = (aheadMs: number) => async (page: Page) => {
  await page.addInitScript((ahead) => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + ahead;
  }, aheadMs);
};

/** Converts hours, minutes and seconds to seconds. */
const readClock = (text: string | null) => (text ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

test('a phone whose clock is five minutes ahead shows the time on air by the clock of the service', async () => {
  await using ui = await openBrowserUi({ prepare: setClock(300_000) });
  const studio = studioPage(ui.page);
  await makeStream(ui, 'Seen from the sofa');
  await studio.goLive.click();
  await studio.timer.waitFor();
  await ui.goTo('#/streams');
  const row = ui.page.getByRole('main').getByRole('row', { name: /Seen from the sofa/ });
  expect(readClock(await row.getByText(/^\d+:\d\d:\d\d$/).textContent())).toBeLessThan(60);
  expect(await row.getByText(/^\d+\smin ago$/).count()).toBe(0);
  await ui.goTo('#/tally');
  expect(readClock(await ui.page.getByRole('timer').textContent())).toBeLessThan(60);
});
