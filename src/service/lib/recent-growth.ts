/** One entry per step, so that memory does not depend on how often a number is noted. */
const stepMs = 1_000;

/** How much a number that only grows has grown lately. Reads no clock: times are milliseconds of a monotonic clock. */
export class RecentGrowth {
  readonly #windowMs: number;
  #entries: readonly { atMs: number; value: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Notes what it is at `atMs`. A number that has fallen counts from there. */
  note(value: number, atMs: number): void {
    const last = this.#entries.at(-1);
    if (last === undefined || value < last.value) this.#entries = [{ atMs, value }];
    else if (atMs - last.atMs < stepMs && this.#entries.length > 1)
      this.#entries = [...this.#entries.slice(0, -1), { atMs: last.atMs, value }];
    else this.#entries = [...this.#entries.slice(Math.max(this.#findFirst(atMs), 0)), { atMs, value }];
  }

  /** Its growth within the window that ends at `nowMs`, or since it was first noted. */
  read(nowMs: number): number {
    const first = this.#entries[Math.max(this.#findFirst(nowMs), 0)];
    const last = this.#entries.at(-1);
    return first === undefined || last === undefined ? 0 : last.value - first.value;
  }

  /** The newest entry that is as old as the window is what is counted from. */
  #findFirst(nowMs: number): number {
    return this.#entries.findLastIndex(({ atMs }) => nowMs - atMs >= this.#windowMs);
  }
}
