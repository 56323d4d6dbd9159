/** Milliseconds of arrivals that the pace is measured over: two halves are compared. */
const windowMs = 10_000;
/** A smaller lag from half to half is jitter of the encoder and the network. */
const minLagMs = 150;
/** Timestamps that jump by more begin another timeline. */
const maxJumpMs = 5_000;
/** One entry each: memory does not follow the frame rate. */
const stepMs = 100;

/**
 * Measures how fast an encoder is, as a share of real time: 1 is real time, 0.7 makes 7 s of media in 10 s.
 *
 * Media that was held up on the way comes later in a burst, and its encoder is not slow: so the least lag of each half of the window
 * is compared, which a burst does not change. It reads no clock: arrivals bring their time, in milliseconds.
 */
export class PaceMeter {
  readonly #lags: { atMs: number; lagMs: number }[] = [];

  /** A frame of decode time `timestampMs` has come at `atMs`. */
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

  /** The pace, at most 1; 1 until the window is full. */
  get pace(): number {
    const [first, last] = [this.#lags[0], this.#lags.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < windowMs * 0.9) return 1;
    const middleMs = last.atMs - windowMs / 2;
    let earlierMs = Number.POSITIVE_INFINITY;
    let laterMs = Number.POSITIVE_INFINITY;
    for (const { atMs, lagMs } of this.#lags) {
      if (atMs > middleMs) laterMs = Math.min(laterMs, lagMs);
      else earlierMs = Math.min(earlierMs, lagMs);
    }
    const grownMs = laterMs - earlierMs;
    return grownMs < minLagMs ? 1 : Math.max(1 - grownMs / (windowMs / 2), 0);
  }
}
