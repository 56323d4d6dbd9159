import { decodeMs, type MediaUnit } from './media-unit.ts';

/** Holds a track's audio, and its configurations, until the video of its time is there, in order. How long at most is for the owner to say. */
export class AudioHold<Unit extends MediaUnit> {
  readonly #maxHeldMs: number;
  readonly #onUnit: (unit: Unit) => void;
  #held: Unit[] = [];

  /** @param maxHeldMs audio that is this much older than the newest waits no longer */
  constructor(maxHeldMs: number, onUnit: (unit: Unit) => void) {
    this.#maxHeldMs = maxHeldMs;
    this.#onUnit = onUnit;
  }

  push(unit: Unit): void {
    this.#held.push(unit);
  }

  /** Video is there up to `videoMs`, a decode time; infinite if none is to come. */
  release(videoMs: number): void {
    const newest = this.#held.at(-1);
    if (newest === undefined) return;
    const untilMs = Math.max(videoMs, decodeMs(newest) - this.#maxHeldMs);
    const firstHeld = this.#held.findIndex((unit) => decodeMs(unit) > untilMs);
    const count = firstHeld < 0 ? this.#held.length : firstHeld;
    for (const unit of this.#held.splice(0, count)) this.#onUnit(unit);
  }
}
