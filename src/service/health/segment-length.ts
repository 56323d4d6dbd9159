/** So many segments say how long they are at present. */
const recentSegments = 5;

/** How long the segments of a stream are: the middle of the last few, which one that was cut short does not move. */
export class SegmentLength {
  readonly #recentSeconds: number[] = [];

  /** Takes in the next segment, of `seconds`. */
  add(seconds: number): void {
    this.#recentSeconds.push(seconds);
    if (this.#recentSeconds.length > recentSegments) this.#recentSeconds.shift();
  }

  /** In seconds, the longer of two middles; undefined before the first segment. */
  get typicalSeconds(): number | undefined {
    return this.#recentSeconds.toSorted((a, b) => a - b).at(this.#recentSeconds.length >> 1);
  }
}
