/** The pace is measured over this many milliseconds of arrivals, by comparing two halves. */
const windowMs = 10_000;
/** A smaller change of lag between the halves is jitter of the encoder and the network. */
const minLagMs = 150;
/** A larger jump of timestamps starts a new timeline. */
const maxJumpMs = 5_000;
/** One entry per step, so that memory does not depend on the frame rate. */
const stepMs = 100;

/**
 * Measures how fast an encoder is, as a fraction of real time: 1 is real time, 0.7 makes 7 s of media in 10 s.
 *
 * Delayed media arrives later in a burst, which does not mean a slow encoder. It does not change the smallest lag, so the smallest lags
 * of the two halves of the window are compared. Reads no clock: arrival times in milliseconds are passed in.
 */
export class PaceMeter {
  readonly #lags: { atMs: number; lagMs: number }[] = [];

  /** Adds a frame with decode time `timestampMs` that arrived at `atMs`. */
  add(timestampMs: number, atMs: number): void {
    const lagMs = atMs - timestampMs;
    const last = this.#lags.at(-1);
    if (last && Math.abs(lagMs - last.lagMs) > maxJumpMs) this.#lags.length = 0;
    else if (last && atMs - last.atMs < stepMs) {
      last.lagMs = Math.min(last.lagMs, lagMs);
      return;
    }
    this.#lags.push({ atMs, lagMs });
    for (let first = this.#lags[0]; first && atMs - first.atMs >= windowMs; first = this.#lags[0]) this.#lags.shift();
  }

  /** The pace, at most 1. It is 1 until the window is full. */
  get pace(): number {
    const [first, last] = [this.#lags[0], this.#lags.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < windowMs * 0.9) return 1;
    const grownMs = this.#grownMs(last.atMs, windowMs / 2);
    // A single delay that lasts has stopped growing by now, or has not yet.
    const isGrowing = this.#grownMs(last.atMs, windowMs / 4) > grownMs / 4;
    return grownMs < minLagMs || !isGrowing ? 1 : Math.max(1 - grownMs / (windowMs / 2), 0);
  }

  /** How much the smallest lag of the last `spanMs` exceeds that of the `spanMs` before, in milliseconds. */
  #grownMs(nowMs: number, spanMs: number): number {
    const smallest = (from: number, to: number) =>
      this.#lags.reduce(
        (least, { atMs, lagMs }) => (atMs > from && atMs <= to ? Math.min(least, lagMs) : least),
        Number.POSITIVE_INFINITY,
      );
    return smallest(nowMs - spanMs, nowMs) - smallest(nowMs - 2 * spanMs, nowMs - spanMs);
  }
}
