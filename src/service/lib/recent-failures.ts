/** Counts failures within a time window: rare failures are tolerated, repeated ones lead to giving up. Reads no clock. */
export class RecentFailures {
  readonly #windowMs: number;
  #at: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds a failure at `now`, milliseconds of a monotonic clock. Returns how many there are within the window. */
  add(now: number): number {
    this.#at = [...this.#at.filter((at) => now - at < this.#windowMs), now];
    return this.#at.length;
  }

  /** Forgets all failures so far. */
  forget(): void {
    this.#at = [];
  }
}
