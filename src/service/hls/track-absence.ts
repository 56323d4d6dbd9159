/**
 * How long one track has been away, measured by how much of the other has arrived since, in milliseconds. Pauses of both tracks do not
 * count: one step of the other counts as half of the patience at most.
 */
export class TrackAbsence {
  #otherMs: number | undefined;
  #awayMs = 0;

  get awayMs(): number {
    return this.#awayMs;
  }

  /** The other track has reached `otherMs`. The one that may be away is given `patienceMs`. */
  follow(otherMs: number, patienceMs: number): void {
    this.#awayMs += Math.min(Math.max(otherMs - (this.#otherMs ?? otherMs), 0), patienceMs / 2);
    this.#otherMs = otherMs;
  }

  /** The track is there. */
  end(): void {
    this.#awayMs = 0;
  }

  /** What comes next is on another timeline. */
  restart(): void {
    this.#otherMs = undefined;
    this.#awayMs = 0;
  }
}
