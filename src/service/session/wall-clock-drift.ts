/** Segments that are later than their program date-times by more than this are late. */
const toleranceMs = 500;
/** No segment arrives before it ends: one that seems to, by more than this, is dated in the future. */
const futureMs = 100;
/** A delay up to this may be usual for a publisher; more is not, even in its first segment. */
const maxUsualMs = 100;
/** A publisher is slower than real time if two segments in a row come later than the one before by this much, or more. */
const slowerMs = 40;
/** The second one, for its duration, by no more than this many times as much as the first: else something was held up. */
const steadyGrowth = 2;

/**
 * Watches how far segments arrive behind their program date-times, which are those of arrival.
 *
 * The segments of a publisher slower than real time come further and further behind their dates, and players that trust the dates
 * would report too much latency. After a pause, they come late: if the publisher catches up, the dates were right, and players that
 * place segments by their dates would get a hole where these move. A publisher that begins with a burst, or catches up after they were
 * moved, gets ahead of them: the dates would be in the future, and players would report too little latency.
 */
export class WallClockDrift {
  #usualMs: number | undefined;
  /** How far the newest segment was behind, after the correction, and by how much more than the one before. */
  #before: { behindMs: number; grownMs: number; durationMs: number } | undefined;

  /**
   * By how many milliseconds to move the program date-times after this segment, negative for back; mostly 0.
   *
   * @param endsAtMs the program date-time at which the segment ends, epoch milliseconds
   * @param wallMs when its last media came, epoch milliseconds
   */
  correction({ endsAtMs, durationMs }: { endsAtMs: number; durationMs: number }, wallMs: number): number {
    const behindMs = wallMs - endsAtMs;
    const before = this.#before;
    this.#usualMs = Math.max(0, Math.min(this.#usualMs ?? maxUsualMs, behindMs));
    const driftMs = behindMs - this.#usualMs;
    const grownMs = behindMs - (before?.behindMs ?? 0);
    const isSlower = driftMs > 0 && before !== undefined && isSteady(before, { grownMs, durationMs });
    // Nothing before the first segment shows another pace.
    const staysLate =
      before === undefined || (before.behindMs - this.#usualMs > toleranceMs && behindMs > before.behindMs - slowerMs);
    const isLate = driftMs > toleranceMs && staysLate;
    const correctionMs = isLate || driftMs < -futureMs || isSlower ? driftMs : 0;
    this.#before = { behindMs: behindMs - correctionMs, grownMs, durationMs };
    return correctionMs;
  }
}

interface Growth {
  grownMs: number;
  durationMs: number;
}

/** Whether both came later by what their publisher's pace makes of their durations, which differ where GOPs do. */
function isSteady(before: Growth, { grownMs, durationMs }: Growth): boolean {
  const steadyMs = (before.grownMs / before.durationMs) * durationMs;
  return Math.min(before.grownMs, grownMs) >= slowerMs && grownMs <= steadyMs * steadyGrowth;
}
