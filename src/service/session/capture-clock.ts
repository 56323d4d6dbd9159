import type { CaptureStamp } from '../media/capture-stamp.ts';

/** A capture may be this much later than its arrival: no two computers' clocks agree wholly. */
const maxAheadMs = 1_000;
/** Pictures older than this at their arrival were not captured live, or by a clock that is wrong. */
const maxAgeMs = 60_000;
/** Timestamps and stamps are rounded to milliseconds: nearer than this, the clock has not moved. */
const roundingMs = 1;
/** Without a stamp for this long, longer than most GOPs, nothing is known of the capture any more. */
const lapseMs = 30_000;

/** Follows the clock of the camera as the pictures of one publisher tell it. It reads no clock: arrivals bear their time. */
export class CaptureClock {
  #offsetMs: number | undefined;
  #stampedAtMs: number | undefined;

  /**
   * How far the capture clock is ahead of the timeline, in milliseconds; undefined when the stamp cannot be believed.
   *
   * @param shownMs when the stamped picture is shown, on the timeline
   * @param arrivedAtMs when it came, epoch milliseconds
   * @param atMs the same moment on a clock that is never set
   */
  read(
    { capturedAtMs, encodedAtMs }: CaptureStamp,
    shownMs: number,
    { arrivedAtMs, atMs }: { arrivedAtMs: number; atMs: number },
  ): number | undefined {
    const isBelievable =
      capturedAtMs <= encodedAtMs && encodedAtMs <= arrivedAtMs + maxAheadMs && capturedAtMs >= arrivedAtMs - maxAgeMs;
    if (!isBelievable) return undefined;
    const offsetMs = capturedAtMs - shownMs;
    if (this.#offsetMs === undefined || Math.abs(offsetMs - this.#offsetMs) > roundingMs) this.#offsetMs = offsetMs;
    this.#stampedAtMs = atMs;
    return this.#offsetMs;
  }

  /** Whether pictures that came at `atMs` (of the clock that is never set) are known to be of this clock. */
  isRunning(atMs: number): boolean {
    return this.#stampedAtMs !== undefined && atMs - this.#stampedAtMs <= lapseMs;
  }

  /** Whether it ran and has stopped; true once. */
  hasLapsed(atMs: number): boolean {
    if (this.#stampedAtMs === undefined || this.isRunning(atMs)) return false;
    this.#stampedAtMs = undefined;
    this.#offsetMs = undefined;
    return true;
  }
}
