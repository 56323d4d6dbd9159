import { RecentTimes } from '../../shared/recent-times.ts';

/** Beginnings are counted over this long. */
const windowMs = 10_000;
/** More of them are too many. Encoders that lose their network reconnect about once a second. */
const maxBeginnings = 12;

/**
 * Counts how often a stream's media begins again: each publisher, each jump of its timestamps and each change of its format starts
 * another ffmpeg, and a segment after a discontinuity. Times are of `Clock.monotonicMs`.
 */
export class Restlessness {
  readonly #beginnings = new RecentTimes(windowMs);

  note(now: number): void {
    this.#beginnings.add(now);
  }

  /** Whether it has begun too often lately. */
  isTooHigh(now: number): boolean {
    return this.#beginnings.count(now) > maxBeginnings;
  }
}
