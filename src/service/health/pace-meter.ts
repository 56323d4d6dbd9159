/** Milliseconds of arrivals that the pace is measured over: two halves are compared. */
const windowMs = 10_000;
/** A smaller lag from half to half is the encoder's and the network's tremble. */
const minLagMs = 150;
/** Timestamps that jump by more begin another timeline. */
const maxJumpMs = 5_000;
/** One entry each: memory does not follow the frame rate. */
const stepMs = 100;

/**
 * Measures how fast an encoder is, as a share of real time: 1 is real time, 0.7 makes 7 s of media in 10 s.
 *
 * Media that is held up on the way comes later in a burst, which is no slow encoder: so the least lag of each half of the window is
 * compared, which such media does not change. It reads no clock: arrivals bear their time, in milliseconds.
 */
export class PaceMeter {
  #lags: { atMs: number; lagMs: number }[] = [];

  /** A frame of decode time `timestampMs` has come at `atMs`. */
  add(timestampMs: number, atMs: number): void {
    const lagMs = atMs - timestampMs;
    const last = this.#lags.at(-1);
    if (last && Math.abs(lagMs - last.lagMs) > maxJumpMs) this.#lags = [];
    else if (last && atMs - last.atMs < stepMs) {
      last.lagMs = Math.min(last.lagMs, lagMs);
      return;
    }
    this.#lags = [...this.#lags.filter((entry) => atMs - entry.atMs < windowMs), { atMs, lagMs }];
  }

  /** The pace, at most 1; 1 until the window is full. */
  get pace(): number {
    const [first, last] = [this.#lags[0], this.#lags.at(-1)];
    if (first === undefined || last === undefined || last.atMs - first.atMs < windowMs * 0.9) return 1;
    const middleMs = last.atMs - windowMs / 2;
    const least = (isIn: (atMs: number) => boolean) =>
      Math.min(...this.#lags.filter(({ atMs }) => isIn(atMs)).map(({ lagMs }) => lagMs));
    const laterMs = least((atMs) => atMs > middleMs) - least((atMs) => atMs <= middleMs);
    return laterMs < minLagMs ? 1 : Math.max(1 - laterMs / (windowMs / 2), 0);
  }
}
