import type { CaptureStamp } from '../media/capture-stamp.ts';
import { captureRoundingMs } from '../media/rounding.ts';
import type { Arrival } from './arrival.ts';

/** A capture may be this much later than its arrival: clocks of two computers differ. */
const maxAheadMs = 1_000;
/** Frames older than this at their arrival weren't captured live, or the clock is wrong. */
const maxAgeMs = 60_000;
/** Without a stamp for this long, longer than most GOPs, the capture time is no longer known. */
const lapseMs = 30_000;

/** Follows the capture clock of one publisher, by the stamps in its frames. It reads no clock: arrivals bring their time. */
export class CaptureClock {
  #offsetMs: number | undefined;
  #stampedAtMs: number | undefined;

  /**
   * How far the capture clock is ahead of the timeline, in milliseconds; undefined if the stamp is not credible.
   *
   * @param shownMs when the stamped frame is shown, on the timeline
   * @param arrival when it came
   */
  read({ capturedAtMs, encodedAtMs }: CaptureStamp, shownMs: number, { atMs, wallMs }: Arrival): number | undefined {
    const isCredible = capturedAtMs <= encodedAtMs && encodedAtMs <= wallMs + maxAheadMs && capturedAtMs >= wallMs - maxAgeMs;
    if (!isCredible) return undefined;
    const offsetMs = capturedAtMs - shownMs;
    if (this.#offsetMs === undefined || Math.abs(offsetMs - this.#offsetMs) > captureRoundingMs) this.#offsetMs = offsetMs;
    this.#stampedAtMs = atMs;
    return this.#offsetMs;
  }

  /** Whether the capture clock is known for frames that came at `atMs`, by `Clock.monotonicMs`. */
  isRunning(atMs: number): boolean {
    return this.#stampedAtMs !== undefined && atMs - this.#stampedAtMs <= lapseMs;
  }

  /** Whether it ran and has stopped; true once. */
  hasLapsed(atMs: number): boolean {
    if (this.#stampedAtMs === undefined || this.isRunning(atMs)) return false;
    this.#stampedAtMs = undefined;
    return true;
  }
}
