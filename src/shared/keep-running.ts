import { pause } from './pause.ts';

export interface KeepRunningOptions<End> {
  /** Ends everything; `once` gets it too. */
  signal: AbortSignal;
  /**
   * How long to wait before the next run, in milliseconds, after a run that ended like this: 0 is no wait at all. Undefined: there is no
   * next run.
   */
  nextAfterMs: (end: End) => number | undefined;
  /** Calls its argument to cut the current pause short; returns the undo. */
  onWake?: (wake: () => void) => () => void;
}

/**
 * Runs `once` again and again, with a pause in between, until `signal` aborts or there is no next run. `once` returns how it ended; an
 * exception from it is a bug, and ends everything.
 */
export async function keepRunning<End>(
  once: (signal: AbortSignal) => Promise<End>,
  { signal, nextAfterMs, onWake = () => () => {} }: KeepRunningOptions<End>,
): Promise<void> {
  while (!signal.aborted) {
    const end = await once(signal);
    if (signal.aborted) return;
    const woken = new AbortController();
    const off = onWake(() => woken.abort());
    try {
      const pauseMs = nextAfterMs(end);
      if (pauseMs === undefined) return;
      if (pauseMs > 0) await pause(pauseMs, signal, woken.signal);
    } finally {
      off();
    }
  }
}
