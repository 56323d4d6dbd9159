/** A larger step of timestamps starts a new timeline. */
const aheadMs = 10_000;
/** A larger step back does, too; encoders send frames a little out of order. */
const backMs = 1_000;

/** Whether a frame's decode time has jumped, back or far ahead, from the newest one before. Milliseconds. */
export function isTimeJump(newestMs: number | undefined, timeMs: number): boolean {
  return newestMs !== undefined && (newestMs - timeMs > backMs || timeMs - newestMs > aheadMs);
}
