import type { Page } from 'playwright-core';

/**
 * Records what the page announces to screen readers from now on, since each announcement lasts only 0.4 s. What is hidden
 * from them isn't announced. Returns how to read it: `status: ` (polite) or `alert: ` (assertive), and the sentence.
 */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    for (const region of document.querySelectorAll('[data-announcer]')) {
      const note = () => {
        if (region.textContent && !region.closest('[aria-hidden="true"]'))
          said.push(`${region.getAttribute('role')}: ${region.textContent}`);
      };
      new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
    }
    Object.assign(window, { said });
  });
  return () => page.evaluate(() => Reflect.get(window, 'said'));
}
