/**
 * How long one track has been away, counted by how far the other has come since, in milliseconds. Pauses that both share do not
 * count: a step of the other one is taken for half of what is waited for at most.
 */
export class TrackAbsence {
  #otherMs: number | undefined;
  #awayMs = 0;

  get awayMs(): number {
    return this.#awayMs;
  }

  /** The other track has come to `otherMs`; the one that may be away is waited for `patienceMs`. */
  follow(otherMs: number, patienceMs: number): void {
    this.#awayMs += Math.min(Math.max(otherMs - (this.#otherMs ?? otherMs), 0), patienceMs / 2);
    this.#otherMs = otherMs;
  }

  /** The track is there. */
  end(): void {
    this.#awayMs = 0;
  }

  /** What comes next is of another timeline. */
  restart(): void {
    this.#otherMs = undefined;
    this.#awayMs = 0;
  }
}
