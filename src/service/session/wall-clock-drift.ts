/** Segments that are off their program date-times by more than this have the next ones moved. */
const toleranceMs = 500;
/** No segment arrives before it ends: one that seems to, by more than this, is dated in the future. */
const futureMs = 100;
/** A delay up to this may be usual for a publisher; more is not, even in its first segment. */
const maxUsualMs = 100;
/** A publisher is slower than real time if this many segments in a row each come later than the one before, by this much. */
const slowerMs = 40;
const slowerSegments = 2;

/**
 * Watches how far segments arrive behind their program date-times, which are those of arrival.
 *
 * The segments of a publisher slower than real time come further and further behind their dates, and players that trust the dates
 * would report too much latency. A publisher that catches up after a delay, or begins with a burst, gets ahead of them: the dates
 * would be in the future, and players would report too little latency.
 */
export class WallClockDrift {
  #usualMs: number | undefined;
  /** How far the newest segment was behind, after the correction, and how many in a row came later than the one before. */
  #behindMs: number | undefined;
  #slower = 0;

  /**
   * By how many milliseconds to move the program date-times after this segment, negative for back; mostly 0.
   *
   * @param endsAtMs the program date-time at which the segment ends, epoch milliseconds
   * @param wallMs when its last media came, epoch milliseconds
   */
  correction(endsAtMs: number, wallMs: number): number {
    const behindMs = wallMs - endsAtMs;
    this.#usualMs = Math.max(0, Math.min(this.#usualMs ?? maxUsualMs, behindMs));
    const driftMs = behindMs - this.#usualMs;
    this.#slower = behindMs - (this.#behindMs ?? 0) >= slowerMs ? this.#slower + 1 : 0;
    const isSlower = this.#slower >= slowerSegments && driftMs > 0;
    const correctionMs = driftMs > toleranceMs || driftMs < -futureMs || isSlower ? driftMs : 0;
    this.#behindMs = behindMs - correctionMs;
    return correctionMs;
  }
}
