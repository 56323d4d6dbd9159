/** One entry per step, so that memory doesn't grow with the rate of notes. */
const stepMs = 1_000;

/** How much a number that only grows has grown lately. Reads no clock: times are milliseconds of a monotonic clock. */
export class RecentGrowth {
  readonly #windowMs: number;
  #entries: readonly { atMs: number; value: number }[] = [];

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Notes the number at `atMs`. If it has fallen, growth counts from the new value. */
  note(value: number, atMs: number): void {
    const last = this.#entries.at(-1);
    if (last === undefined || value < last.value) this.#entries = [{ atMs, value }];
    else if (atMs - last.atMs < stepMs && this.#entries.length > 1)
      this.#entries = [...this.#entries.slice(0, -1), { atMs: last.atMs, value }];
    else this.#entries = [...this.#entries.slice(Math.max(this.#findFirst(atMs), 0)), { atMs, value }];
  }

  /** Its growth within the window that ends at `nowMs`, or since the first note if that is later. */
  read(nowMs: number): number {
    const first = this.#entries[Math.max(this.#findFirst(nowMs), 0)];
    const last = this.#entries.at(-1);
    return first === undefined || last === undefined ? 0 : last.value - first.value;
  }

  /** The entry to count from: the newest one at least as old as the window. */
  #findFirst(nowMs: number): number {
    return this.#entries.findLastIndex(({ atMs }) => nowMs - atMs >= this.#windowMs);
  }
}
