/** Publishers wait longer before each try, OBS 1.5 times as long: the next try comes within twice the longest pause so far. */
export const backOff = 2;
/** The same for a publisher that has tried only once, or in quick succession. */
const leastMs = 60_000;

/** How long a publisher that reconnects by itself may pause before its next try. After a longer pause, a person has started it again. */
export function longestNextPauseMs(longestPauseMs: number): number {
  return Math.max(leastMs, longestPauseMs * backOff);
}
