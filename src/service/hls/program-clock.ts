/** The wall clock of a packager's segments: says the `EXT-X-PROGRAM-DATE-TIME` of each. Times in milliseconds. */
export class ProgramClock {
  /** Where the next segment starts if it follows the one before. */
  #nextMs: number;
  #offsetMs: number | undefined;

  /** `startMs` is the wall clock of the first segment's start, epoch milliseconds. */
  constructor(startMs: number) {
    this.#nextMs = startMs;
  }

  /** The offset for segments that are decided on now, however late they are made. */
  get offsetMs(): number | undefined {
    return this.#offsetMs;
  }

  /** How far the wall clock is ahead of the timeline, from the next segment on; undefined where segments just follow one another. */
  setOffset(offsetMs: number | undefined): void {
    this.#offsetMs = offsetMs;
  }

  /** Moves the next segment by this much: back when it is negative. */
  move(milliseconds: number): void {
    this.#nextMs += milliseconds;
  }

  /** The wall clock of a segment that starts at `startMs` on the timeline; `offsetMs` was the offset when it was decided on. */
  date(startMs: number, offsetMs: number | undefined): number {
    // An offset that has lapsed since then dates nothing any more.
    const isDated = offsetMs !== undefined && this.#offsetMs !== undefined;
    return isDated ? startMs + offsetMs : this.#nextMs;
  }

  /** The segment that starts at `startsAtMs`, epoch milliseconds, is whole. */
  follow(startsAtMs: number, durationMs: number): void {
    this.#nextMs = startsAtMs + durationMs;
  }
}
