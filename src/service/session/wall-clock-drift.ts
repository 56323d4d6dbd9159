/** Segments this much off their program date-times have those that follow moved. */
const toleranceMs = 500;
/** Nothing arrives before it ends: what seems to by more than this is dated in the future. */
const futureMs = 100;
/** What arrives this much later than it ends is no habit, not even in the first segment. */
const maxUsualMs = 100;
/** An encoder is slower than real time when so many segments, one after another, come later by this than the one before. */
const slowerMs = 40;
const slowerSegments = 2;

/**
 * Watches how far segments arrive behind their program date-times, which are those of arrival.
 *
 * An encoder slower than real time falls ever further behind them, and a player that trusts them would think itself far behind the
 * picture. One that was late for a while and catches up, or that begins with a burst, gets ahead of them: they would be in the
 * future, and the picture would seem nearer than it is.
 */
export class WallClockDrift {
  #usualMs: number | undefined;
  /** How far the newest segment was behind, after those that follow were moved, and how many have come later than the one before. */
  #behindMs: number | undefined;
  #slower = 0;

  /**
   * How many milliseconds the program date-times after this segment are to be moved, negative when back; mostly 0.
   *
   * @param endsAtMs the program date-time at which the segment ends, epoch milliseconds
   * @param arrivedAtMs when its last media came, epoch milliseconds
   */
  correction(endsAtMs: number, arrivedAtMs: number): number {
    const behindMs = arrivedAtMs - endsAtMs;
    this.#usualMs = Math.max(0, Math.min(this.#usualMs ?? maxUsualMs, behindMs));
    const driftMs = behindMs - this.#usualMs;
    this.#slower = behindMs - (this.#behindMs ?? 0) >= slowerMs ? this.#slower + 1 : 0;
    const isSlower = this.#slower >= slowerSegments && driftMs > 0;
    const correctionMs = driftMs > toleranceMs || driftMs < -futureMs || isSlower ? driftMs : 0;
    this.#behindMs = behindMs - correctionMs;
    return correctionMs;
  }
}
