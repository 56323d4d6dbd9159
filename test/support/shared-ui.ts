import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type BrowserUi, openBrowserUi } from './browser-ui.ts';

/**
 * Opens the screens once for all tests of a file, and closes them after the last. No test may leave an error in a page, or a violation
 * of its Content-Security-Policy.
 *
 * @param use gets them before the first test
 */
export function shareBrowserUi(
  options: Parameters<typeof openBrowserUi>[0],
  use: (ui: BrowserUi) => void | Promise<void>,
): void {
  let ui: BrowserUi | undefined;
  beforeAll(async () => {
    ui = await openBrowserUi(options);
    await use(ui);
  });
  afterEach(() => {
    expect(ui?.complaints.splice(0)).toEqual([]);
  });
  afterAll(() => ui?.[Symbol.asyncDispose]());
}
