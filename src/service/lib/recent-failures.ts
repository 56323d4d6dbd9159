/** Counts failures within a window of time: what fails now and then goes on, what fails again and again is given up. Holds no clock. */
export class RecentFailures {
  readonly #windowMs: number;
  #at: number[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** One more failure, at `now`, in milliseconds of any clock that never goes back. Returns how many there were within the window. */
  add(now: number): number {
    this.#at = [...this.#at.filter((at) => now - at < this.#windowMs), now];
    return this.#at.length;
  }

  /** What failed before counts no more. */
  forget(): void {
    this.#at = [];
  }
}
