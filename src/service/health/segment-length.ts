import { median } from '../lib/median.ts';

/** The segment length is taken over this many recent segments. */
const recentSegments = 5;

/** The segment length of a stream: the median of the last few, so that one shortened segment does not change it. */
export class SegmentLength {
  readonly #recentSeconds: number[] = [];

  /** Adds the next segment, `seconds` long. */
  add(seconds: number): void {
    this.#recentSeconds.push(seconds);
    if (this.#recentSeconds.length > recentSegments) this.#recentSeconds.shift();
  }

  /** The median in seconds, the upper one of two; undefined before the first segment. */
  get typicalSeconds(): number | undefined {
    return median(this.#recentSeconds);
  }
}
