/** At once, when nothing has been made for a while: a hole of any length that is filled, and more. */
const mostMs = 30_000;
/** For each millisecond in which the publisher was there: both tracks could stand in, and a clock may run a little fast. */
const perMs = 2.5;
/** For each frame that comes, since a publisher may send faster than real time: the other track at 10 frames a second and more. */
const perFrameMs = 100;

/**
 * How much media may be made to stand in for what does not come, in milliseconds of it. Frames of a few bytes may claim to be seconds
 * apart, and hours of silence and of held pictures cannot be made for a few kilobytes: what is made is bounded by the time that has
 * really passed, and by the frames that have really come. An encoder that sends in real time does not come near it.
 */
export class StandInAllowance {
  #leftMs = mostMs;
  #arrivedAtMs: number | undefined;

  /** A frame of the publisher's has come, at this time where that is known (epoch milliseconds). */
  earn(arrivedAtMs: number | undefined): void {
    // A clock that is set back earns nothing.
    const passedMs = Math.max((arrivedAtMs ?? 0) - (this.#arrivedAtMs ?? arrivedAtMs ?? 0), 0);
    this.#leftMs = Math.min(this.#leftMs + passedMs * perMs + perFrameMs, mostMs);
    this.#arrivedAtMs = arrivedAtMs;
  }

  /** How many of `count` frames of this length may be made, which counts as having made them. */
  take(count: number, frameMs: number): number {
    const taken = Math.min(count, Math.floor(this.#leftMs / frameMs));
    this.#leftMs -= taken * frameMs;
    return taken;
  }
}
