/**
 * How long one track has been away, measured by how much of the other has arrived since, in milliseconds. Pauses of both tracks
 * don't count: one step of the other track counts as at most half the patience.
 */
export class TrackAbsence {
  #otherMs: number | undefined;
  #awayMs = 0;

  get awayMs(): number {
    return this.#awayMs;
  }

  /** The other track has reached `otherMs`. The track that may be away has `patienceMs` until it counts as such. */
  follow(otherMs: number, patienceMs: number): void {
    this.#awayMs += Math.min(Math.max(otherMs - (this.#otherMs ?? otherMs), 0), patienceMs / 2);
    this.#otherMs = otherMs;
  }

  /** The track has arrived. */
  end(): void {
    this.#awayMs = 0;
  }

  /** The next units are on another timeline. */
  restart(): void {
    this.#otherMs = undefined;
    this.#awayMs = 0;
  }
}
