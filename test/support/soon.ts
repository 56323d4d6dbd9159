import { setImmediate } from 'node:timers/promises';

/**
 * Resolves as soon as `assertion` no longer throws; after `timeoutMs` it rejects with the last error.
 *
 * It polls by turns of the event loop, not by timers, so that tests may fake those.
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
