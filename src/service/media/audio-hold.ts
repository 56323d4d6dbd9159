import { decodeMs, type MediaUnit } from './media-unit.ts';

/** Holds a track's audio, and its configurations, in order until the video of the same time is there, for at most `maxHeldMs`. */
export class AudioHold<Unit extends MediaUnit> {
  readonly #maxHeldMs: number;
  readonly #onUnit: (unit: Unit) => void;
  #held: Unit[] = [];

  /** @param maxHeldMs audio that is this much older than the newest no longer waits */
  constructor(maxHeldMs: number, onUnit: (unit: Unit) => void) {
    this.#maxHeldMs = maxHeldMs;
    this.#onUnit = onUnit;
  }

  push(unit: Unit): void {
    this.#held.push(unit);
  }

  /** Video is there up to `videoMs`, a decode time; infinite if no more comes. */
  release(videoMs: number): void {
    const newest = this.#held.at(-1);
    if (newest === undefined) return;
    const untilMs = Math.max(videoMs, decodeMs(newest) - this.#maxHeldMs);
    const firstHeld = this.#held.findIndex((unit) => decodeMs(unit) > untilMs);
    const count = firstHeld < 0 ? this.#held.length : firstHeld;
    for (const unit of this.#held.splice(0, count)) this.#onUnit(unit);
  }
}
