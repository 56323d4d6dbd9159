/** An encoder that is slower than real time by this much has its program date-times moved on. */
const toleranceMs = 500;

/**
 * Watches how far segments arrive behind their program date-times: an encoder slower than real time falls ever further behind
 * them, and a player that trusts them would think itself far behind the picture.
 */
export class WallClockDrift {
  #usualMs: number | undefined;

  /**
   * How many milliseconds the program date-times after this segment are to be moved on; mostly 0.
   *
   * @param endsAtMs the program date-time at which the segment ends, epoch milliseconds
   * @param arrivedAtMs when its last media came, epoch milliseconds
   */
  correction(endsAtMs: number, arrivedAtMs: number): number {
    const behindMs = arrivedAtMs - endsAtMs;
    this.#usualMs = Math.min(this.#usualMs ?? behindMs, behindMs);
    const drift = behindMs - this.#usualMs;
    return drift > toleranceMs ? drift : 0;
  }
}
