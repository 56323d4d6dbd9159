/** The times of the last `windowMs` and `now`: how many there are is how often something has happened lately. */
export function addRecent(times: readonly number[], now: number, windowMs: number): number[] {
  return [...times.filter((at) => now - at < windowMs), now];
}

/** Counts failures within a time window: rare failures are tolerated, repeated ones lead to giving up. Reads no clock. */
export class RecentFailures {
  readonly #windowMs: number;
  #at: readonly number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a failure at `now`, milliseconds of a monotonic clock. Returns how many there are within the window. */
  add(now: number): number {
    this.#at = addRecent(this.#at, now, this.#windowMs);
    return this.#at.length;
  }

  /** Forgets all failures so far. */
  forget(): void {
    this.#at = [];
  }
}
