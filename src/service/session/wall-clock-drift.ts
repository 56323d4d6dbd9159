/** Segments this much off their program date-times have those that follow moved. */
const toleranceMs = 500;

/**
 * Watches how far segments arrive behind their program date-times, which are those of arrival.
 *
 * An encoder slower than real time falls ever further behind them, and a player that trusts them would think itself far behind the
 * picture. One that was late for a while and catches up, or that begins with a burst, gets ahead of them: they would be in the
 * future, and the picture would seem nearer than it is.
 */
export class WallClockDrift {
  #usualMs: number | undefined;

  /**
   * How many milliseconds the program date-times after this segment are to be moved, negative when back; mostly 0.
   *
   * @param endsAtMs the program date-time at which the segment ends, epoch milliseconds
   * @param arrivedAtMs when its last media came, epoch milliseconds
   */
  correction(endsAtMs: number, arrivedAtMs: number): number {
    const behindMs = arrivedAtMs - endsAtMs;
    // Nothing ends after it has arrived; and what is later than the tolerance is no habit, not even in the first segment.
    this.#usualMs = Math.max(0, Math.min(this.#usualMs ?? toleranceMs, behindMs));
    const driftMs = behindMs - this.#usualMs;
    return Math.abs(driftMs) > toleranceMs ? driftMs : 0;
  }
}
