import { setImmediate } from 'node:timers/promises';

/**
 * Resolves as soon as `assertion` no longer throws; after `timeoutMs` it rejects with what it threw last.
 *
 * It waits by turns of the event loop, not by timers, so that tests may stop those.
 */
export async function soon(assertion: () => unknown, timeoutMs = 8_000): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      assertion();
      return;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
    }
    await setImmediate();
  }
}
