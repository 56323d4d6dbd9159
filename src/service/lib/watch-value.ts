import { pause } from '../../shared/pause.ts';

/**
 * Yields `read()` at once and again after each change, until `signal` aborts.
 *
 * Changes that happen while the listener is busy, or within `minIntervalMs` of the last value, are merged: a slow listener gets the
 * newest value and uses no memory.
 */
export async function* watchValue<Value>(
  read: () => Value,
  {
    onChange,
    signal,
    minIntervalMs = 100,
  }: { onChange: (listener: () => void) => () => void; signal: AbortSignal; minIntervalMs?: number },
): AsyncGenerator<Value, void> {
  let changed = true;
  let wake = () => {};
  const off = onChange(() => {
    changed = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      if (changed) {
        changed = false;
        yield read();
        await pause(minIntervalMs, signal);
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    off();
    signal.removeEventListener('abort', onAbort);
  }
}
