/** How an encode kept up at one moment. */
interface EncodeProgress {
  atMs: number;
  /** The media time that it has reached. */
  outMs: number;
  /** The length of fed media that isn't out yet. */
  lagMs: number;
}

/** Judges by an encode's progress whether it is slower than real time. Holds no clock: it is fed times. */
export class LagWatch {
  readonly #slowMs: number;
  readonly #maxLagMs: number;
  #samples: EncodeProgress[] = [];

  constructor({ slowMs, maxLagMs }: { slowMs: number; maxLagMs: number }) {
    this.#slowMs = slowMs;
    this.#maxLagMs = maxLagMs;
  }

  /**
   * Takes a measurement; true if the encode has lagged for `slowMs`, and in that time was slower than the clock and fell further behind.
   * An encode that merely gets media faster than real time is not slow.
   */
  isSlow(sample: EncodeProgress): boolean {
    const { atMs, outMs, lagMs } = sample;
    if (lagMs <= this.#maxLagMs) {
      this.#samples = [];
      return false;
    }
    this.#samples.push(sample);
    // Compared with the newest sample that is old enough.
    while (this.#samples[1] !== undefined && atMs - this.#samples[1].atMs >= this.#slowMs) this.#samples.shift();
    const [oldest] = this.#samples;
    if (oldest === undefined || atMs - oldest.atMs < this.#slowMs) return false;
    return lagMs > oldest.lagMs && outMs - oldest.outMs < atMs - oldest.atMs;
  }
}
