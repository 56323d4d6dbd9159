import type { Page } from 'playwright-core';

type LockWindow = Window & { locks: { held: number } };

/** Counts the locks that keep the screen awake, from now on. */
export async function keepWakeLocks(page: Page): Promise<{ held(): Promise<number>; untilHeld(count: number): Promise<void> }> {
  await page.evaluate(() => {
    const locks = { held: 0 };
    Object.assign(window, { locks });
    navigator.wakeLock.request = async () => {
      locks.held += 1;
      const release = async () => {
        locks.held -= 1;
      };
      return Object.assign(new EventTarget(), { release }) as WakeLockSentinel;
    };
  });
  return {
    held: () => page.evaluate(() => (window as unknown as LockWindow).locks.held),
    async untilHeld(count) {
      await page.waitForFunction((wanted) => (window as unknown as LockWindow).locks.held === wanted, count);
    },
  };
}
