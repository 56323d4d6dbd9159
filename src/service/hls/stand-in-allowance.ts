/** How much may be made at once, after a while without any: more than any hole that is filled. */
const mostMs = 30_000;
/** Earned per millisecond in which the publisher was connected: for both tracks, and a clock that runs a little fast. */
const perMs = 2.5;
/**
 * Earned per frame that arrives, since a publisher may send faster than real time: enough for the other track at 10 frames a
 * second.
 */
const perFrameMs = 100;

/**
 * How much media may be made to stand in for missing frames, in milliseconds. Frames of a few bytes may claim to be seconds
 * apart, and must not make us produce hours of silence and held pictures. So it is bounded by the time that has really passed,
 * and by the frames that have really come. An encoder that sends in real time stays far below that.
 */
export class StandInAllowance {
  #leftMs = mostMs;
  #earnedAtMs: number | undefined;

  /** A frame of the publisher has arrived, at this time by `Clock.monotonicMs`. */
  earn(atMs: number): void {
    const passedMs = atMs - (this.#earnedAtMs ?? atMs);
    this.#leftMs = Math.min(this.#leftMs + passedMs * perMs + perFrameMs, mostMs);
    this.#earnedAtMs = atMs;
  }

  /** How many of `count` frames of this length may be made: they count as made. */
  take(count: number, frameMs: number): number {
    const taken = Math.min(count, Math.floor(this.#leftMs / frameMs));
    this.#leftMs -= taken * frameMs;
    return taken;
  }
}
