/** A timer this late means that the whole process stalled (frozen or asleep), so received data may still be unread. */
const lateMs = 1_000;

/** Whether a timer that was due at `dueAtMs` and runs at `nowMs`, both monotonic, was held up with the whole process. */
export const wasHeldUp = (dueAtMs: number, nowMs: number): boolean => nowMs - dueAtMs > lateMs;

/**
 * Calls `run` after `afterMs`, once everything received by then has been read; returns the undo. Timers run before sockets and pipes are
 * read, so after a hold-up this waits for the event loop to read them once.
 */
export function callWhenRead(afterMs: number, run: () => void, monotonicMs: () => number): () => void {
  const dueAtMs = monotonicMs() + afterMs;
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    if (wasHeldUp(dueAtMs, monotonicMs())) reading = setImmediate(run);
    else run();
  }, afterMs);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}
