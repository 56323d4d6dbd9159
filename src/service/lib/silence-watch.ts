import { wasHeldUp } from './held-up.ts';

/** How long it may take to read the data that arrived during a stall of this process. */
const readWithinMs = 2_000;

/** Watches a source that may fall silent. */
export interface SilenceWatch {
  /** The source sent something. */
  heard(): void;
  /** Stops watching. */
  stop(): void;
}

/**
 * Calls `onSilence` once, when nothing has been heard for `limitMs`. Timers run before sockets and pipes are read, so a process that
 * was held up reads for 2 s before it judges.
 */
export function watchForSilence({
  limitMs,
  onSilence,
  monotonicMs = () => performance.now(),
}: {
  limitMs: number;
  onSilence: () => void;
  monotonicMs?: () => number;
}): SilenceWatch {
  let isOver = false;
  let isReading = false;
  let dueAtMs = monotonicMs() + limitMs;
  let timer = setTimeout(look, limitMs);

  function look(): void {
    if (!isReading && wasHeldUp(dueAtMs, monotonicMs())) {
      isReading = true;
      timer = setTimeout(look, readWithinMs);
      return;
    }
    isOver = true;
    onSilence();
  }

  return {
    heard() {
      if (isOver) return;
      dueAtMs = monotonicMs() + limitMs;
      if (!isReading) {
        timer.refresh();
        return;
      }
      isReading = false;
      clearTimeout(timer);
      timer = setTimeout(look, limitMs);
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
