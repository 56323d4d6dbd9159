/** The window in which the least delay is searched: longer than a computer is busy with something else. */
const windowMs = 15_000;
/** The offset in use stays as it is while the least one is within these bounds of it. */
const steadyMs = { earlier: 5, later: 10 };
/** An encoder is slower than real time if its marks come this much later each second, for so many seconds in a row. */
const slowerMs = 20;
const slowerSeconds = 3;

/**
 * How far the wall clock is ahead of an encoder's timestamps, measured from when its capture marks arrive.
 *
 * Marks arrive late, never early, so the one with the least delay is the most accurate. The offset follows an earlier mark at once,
 * and a later one only when all marks of a window are later (the source paused, or the wall clock was set). Small differences
 * change nothing.
 *
 * If an encoder is slower than real time, its marks come later and later. Its input, a file or a test picture, waits for it, so every
 * mark is accurate.
 */
export class CaptureOffset {
  /** Marks that may become the least of the window: each is later than those before it and has a greater offset. */
  #candidates: { atMs: number; offsetMs: number }[] = [];
  #offsetMs: number | undefined;
  #newestMs = 0;
  /** The least offset of each of the newest seconds. */
  #seconds: { second: number; leastMs: number }[] = [];

  /** The frame with this timestamp was captured at `atMs`, in epoch milliseconds, or slightly before. */
  add(timestampMs: number, atMs: number): void {
    const offsetMs = atMs - timestampMs;
    this.#newestMs = Math.round(timestampMs);
    if (this.#isSlower(offsetMs, atMs)) this.#candidates = [];
    this.#candidates = this.#candidates.filter((mark) => mark.offsetMs < offsetMs && Math.abs(atMs - mark.atMs) <= windowMs);
    this.#candidates.push({ atMs, offsetMs });
    const leastMs = this.#candidates[0]?.offsetMs ?? offsetMs;
    const movedMs = this.#offsetMs === undefined ? Number.POSITIVE_INFINITY : leastMs - this.#offsetMs;
    if (movedMs < -steadyMs.earlier || movedMs > steadyMs.later) this.#offsetMs = leastMs;
  }

  #isSlower(offsetMs: number, atMs: number): boolean {
    const second = Math.floor(atMs / 1000);
    const newest = this.#seconds.at(-1);
    if (newest?.second === second) newest.leastMs = Math.min(newest.leastMs, offsetMs);
    else this.#seconds = [...this.#seconds.slice(-slowerSeconds), { second, leastMs: offsetMs }];
    const steps = this.#seconds.slice(1).map(({ leastMs }, index) => leastMs - (this.#seconds[index]?.leastMs ?? leastMs));
    return steps.length === slowerSeconds && steps.every((step) => step >= slowerMs);
  }

  /** When the frame with this unsigned 32-bit timestamp was captured, in epoch milliseconds; undefined before the first mark. */
  findCapture(timestampMs: number): number | undefined {
    if (this.#offsetMs === undefined) return undefined;
    // The nearest time with these low 32 bits: `| 0` keeps the difference, as a signed number.
    const unwrappedMs = this.#newestMs + ((timestampMs - (this.#newestMs % 2 ** 32)) | 0);
    return unwrappedMs + this.#offsetMs;
  }
}
