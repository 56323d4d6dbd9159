/** Beginnings are counted over this long. */
const windowMs = 10_000;
/** More of them are too many. Encoders that lose their network reconnect about once a second. */
const maxBeginnings = 12;

/**
 * Counts how often a stream's media begins again: each publisher, each jump of its timestamps and each change of its format starts
 * another ffmpeg, and a segment after a discontinuity. Times are of `Clock.monotonicMs`.
 */
export class Restlessness {
  #beginnings: number[] = [];

  note(now: number): void {
    this.#beginnings = [...this.#recent(now), now].slice(-maxBeginnings - 1);
  }

  /** Whether it has begun too often lately. */
  isTooHigh(now: number): boolean {
    return this.#recent(now).length > maxBeginnings;
  }

  #recent(now: number): number[] {
    return this.#beginnings.filter((at) => now - at < windowMs);
  }
}
