/** The times within the last `windowMs`, plus `now`: their number is how often something has happened lately. */
export function addRecent(times: readonly number[], now: number, windowMs: number): number[] {
  return [...keepRecent(times, now, windowMs), now];
}

/** The times within the last `windowMs`. */
export function keepRecent(times: readonly number[], now: number, windowMs: number): number[] {
  return times.filter((at) => now - at < windowMs);
}

/** Counts what happens within a time window: a rare failure is tolerated, repeated ones lead to giving up. Reads no clock. */
export class RecentTimes {
  readonly #windowMs: number;
  #at: readonly number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds one at `now`, milliseconds of a monotonic clock. Returns how many there are within the window. */
  add(now: number): number {
    this.#at = addRecent(this.#at, now, this.#windowMs);
    return this.#at.length;
  }

  /** How many there are within the window that ends at `now`. */
  count(now: number): number {
    return keepRecent(this.#at, now, this.#windowMs).length;
  }

  /** Forgets all so far. */
  forget(): void {
    this.#at = [];
  }
}
