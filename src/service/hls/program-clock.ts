/** The wall clock of a packager's segments: gives each its `EXT-X-PROGRAM-DATE-TIME`. Times in milliseconds. */
export class ProgramClock {
  /** The start of the next segment if it follows the one before. */
  #nextMs: number;
  #offsetMs: number | undefined;

  /** `startMs` is the wall clock of the first segment's start, epoch milliseconds. */
  constructor(startMs: number) {
    this.#nextMs = startMs;
  }

  /** The offset for segments that are decided now, however late they are made. */
  get offsetMs(): number | undefined {
    return this.#offsetMs;
  }

  /** How far the wall clock is ahead of the timeline, from the next segment on; undefined where segments just follow one another. */
  setOffset(offsetMs: number | undefined): void {
    this.#offsetMs = offsetMs;
  }

  /** Moves the next segment's date by this much; negative moves it back. */
  move(milliseconds: number): void {
    this.#nextMs += milliseconds;
  }

  /** The wall clock of a segment that starts at `startMs` on the timeline; `offsetMs` was the offset when it was decided on. */
  date(startMs: number, offsetMs: number | undefined): number {
    // An offset that has lapsed in the meantime no longer counts.
    const isDated = offsetMs !== undefined && this.#offsetMs !== undefined;
    return isDated ? startMs + offsetMs : this.#nextMs;
  }

  /** The segment that starts at `startsAtMs`, epoch milliseconds, is whole. */
  follow(startsAtMs: number, durationMs: number): void {
    this.#nextMs = startsAtMs + durationMs;
  }
}
