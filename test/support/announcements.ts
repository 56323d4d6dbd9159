import type { Page } from 'playwright-core';

/** Counts how often a sentence comes into an alert from now on, which is how often screen readers announce it. */
export async function countAlerts(page: Page, sentence: string): Promise<() => Promise<number>> {
  const name = `alerts of ${sentence}`;
  await page.evaluate(
    ([key, text]) => {
      const says = (node: Node | null) => node?.textContent?.includes(text as string) ?? false;
      const isAlert = (node: Node) => {
        const element = node instanceof Element ? node : node.parentElement;
        return (
          says(node) && (element?.closest('[role=alert]') || [...(element?.querySelectorAll('[role=alert]') ?? [])].some(says))
        );
      };
      Reflect.set(window, key as string, 0);
      new MutationObserver((changes) => {
        const come = changes.flatMap(({ type, target, addedNodes }) => (type === 'childList' ? [...addedNodes] : [target]));
        Reflect.set(window, key as string, Reflect.get(window, key as string) + come.filter(isAlert).length);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    [name, sentence],
  );
  return () => page.evaluate((key) => Reflect.get(window, key), name);
}

/** Notes whether a button with this text comes to be shown from now on, however briefly. */
export async function watchForButton(page: Page, text: string): Promise<() => Promise<boolean>> {
  const name = `shown button ${text}`;
  await page.evaluate(
    ([key, label]) => {
      const watcher = new MutationObserver(() => {
        if (![...document.querySelectorAll('button')].some(({ textContent }) => textContent === label)) return;
        Reflect.set(window, key as string, true);
        watcher.disconnect();
      });
      Reflect.set(window, key as string, false);
      watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    },
    [name, text],
  );
  return () => page.evaluate((key) => Reflect.get(window, key), name);
}

/**
 * Records the page's announcements to screen readers from now on, since each announcement lasts only 0.4 s. Text that is hidden
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
