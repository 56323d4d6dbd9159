/** Longer than tracks wait for each other, and shorter than the ingest waits for media that can be used. */
const unplayableMs = 8_000;
/** Media before a pause this long may be too little for a part, so it isn't counted. */
const pauseMs = 2_000;

/** Detects media that arrives but can't be played: for a while no part is made of it. Times are those of `Clock.monotonicMs`. */
export class UnplayedMedia {
  /** When the oldest media arrived that is in no part yet. */
  #sinceMs: number | undefined;
  #newestMs: number | undefined;

  /** Media arrives, usable or not. */
  arrive(now: number): void {
    const isAfterPause = this.sinceMs === undefined && now - (this.#newestMs ?? now) > pauseMs;
    if (this.#sinceMs === undefined || isAfterPause) this.#sinceMs = now;
    this.#newestMs = now;
  }

  /** A part was made of it. */
  play(): void {
    this.#sinceMs = undefined;
  }

  /** Since when arriving media can't be played; undefined while it can, and until this has lasted a while. */
  get sinceMs(): number | undefined {
    if (this.#sinceMs === undefined || this.#newestMs === undefined) return undefined;
    return this.#newestMs - this.#sinceMs < unplayableMs ? undefined : this.#sinceMs;
  }
}
