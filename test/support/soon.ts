import { setImmediate } from 'node:timers/promises';

// The system's timers, even while a test fakes them.
const setRealTimeout = globalThis.setTimeout;
const now = performance.now.bind(performance);

/** Imminent events happen within a few turns; polling turns for longer would take a whole core. */
const turnsMs = 10;
const longestPauseMs = 25;

/**
 * Resolves as soon as `assertion` no longer throws or rejects, with its result; after `timeoutMs` it rejects with the last error.
 *
 * It polls every turn of the event loop at first, and after {@link turnsMs} with pauses that grow with the wait.
 */
export async function soon<Result>(assertion: () => Result | Promise<Result>, timeoutMs = 20_000): Promise<Result> {
  const since = now();
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (now() - since > timeoutMs) throw error;
    }
    const waitedMs = now() - since;
    if (waitedMs < turnsMs) await setImmediate();
    else await pause(Math.min(waitedMs / 10, longestPauseMs));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setRealTimeout(resolve, ms);
  });
}
