/** The least delay is looked for in the newest this many milliseconds: longer than a computer is busy with something else. */
const windowMs = 15_000;
/** What is stamped stays steady as long as the least delay is found within these bounds of the one in use. */
const steadyMs = { earlier: 5, later: 10 };
/** An encoder is slower than real time when its marks come later by this in each of so many seconds, one after another. */
const slowerMs = 20;
const slowerSeconds = 3;

/**
 * How far the wall clock is ahead of an encoder's timestamps, as the arrival of its capture marks tells.
 *
 * Marks are only ever told late, never early: the one with the least delay is the nearest to the truth. So the offset follows an
 * earlier one at once, and a later one only when all of a window are later (the source has stopped for a while, or the wall
 * clock was set); small differences move nothing.
 *
 * Where an encoder is slower than real time they come later and later. What it reads waits for it then, a file as well as a test
 * picture: each mark is the truth.
 */
export class CaptureOffset {
  /** Marks that may become the least of the window: each one later than all before it, its offset greater. */
  #candidates: { atMs: number; offsetMs: number }[] = [];
  #offsetMs: number | undefined;
  #newestMs = 0;
  /** The least offset of each of the newest seconds. */
  #seconds: { second: number; leastMs: number }[] = [];

  /** The picture of this timestamp was captured at `atMs`, epoch milliseconds, or a little before. */
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

  /** When the picture of this unsigned 32-bit timestamp was captured, epoch milliseconds; undefined before the first mark. */
  findCapture(timestampMs: number): number | undefined {
    if (this.#offsetMs === undefined) return undefined;
    // The nearest time with these low 32 bits: `| 0` keeps the difference, as a signed number.
    const unwrappedMs = this.#newestMs + ((timestampMs - (this.#newestMs % 2 ** 32)) | 0);
    return unwrappedMs + this.#offsetMs;
  }
}
