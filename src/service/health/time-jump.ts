/** A larger step of timestamps starts a new timeline. */
const maxGapMs = 10_000;

/** Whether a frame's decode time has jumped, back or far ahead, from the one before. Milliseconds. */
export function isTimeJump(lastMs: number | undefined, timeMs: number): boolean {
  return lastMs !== undefined && (timeMs < lastMs || timeMs - lastMs > maxGapMs);
}
