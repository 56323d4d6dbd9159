/** Two clocks that differ by less than this, in milliseconds, are taken for one: the way of a message looks like a difference too. */
const sameClockMs = 1_500;

/** How far the service's clock is ahead of the page's, in milliseconds. */
export interface ServiceClock {
  /** As the newest message tells: less by the time that it was on its way, which is now 2 ms and now 40. */
  newestOffsetMs(): number;
  /** Holds still until the clocks really move against each other: a time of day that is drawn with it never jumps. */
  steadyOffsetMs(): number;
  /** Tells of each change of the steady one; returns the undo. */
  onChange(listener: () => void): () => void;
}

/** The clock of a service that has said nothing yet counts as the page's. */
export function createServiceClock(): ServiceClock & { note(serviceNowMs: number, receivedAtMs: number): void } {
  const listeners = new Set<() => void>();
  let newestMs = 0;
  let steadyMs = 0;
  return {
    newestOffsetMs: () => newestMs,
    steadyOffsetMs: () => steadyMs,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    note(serviceNowMs, receivedAtMs) {
      newestMs = serviceNowMs - receivedAtMs;
      if (Math.abs(newestMs - steadyMs) < sameClockMs) return;
      steadyMs = newestMs;
      for (const listener of [...listeners]) listener();
    },
  };
}
