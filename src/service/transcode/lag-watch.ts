/** What is known of an encode at one moment: media fed to it and media that came out of it, on its timeline. */
interface Sample {
  atMs: number;
  lagMs: number;
}

/** Tells from how far an encode lags whether it is slower than its media comes. Holds no clock: it is fed times. */
export class LagWatch {
  readonly #slowMs: number;
  readonly #maxLagMs: number;
  #samples: Sample[] = [];

  constructor({ slowMs, maxLagMs }: { slowMs: number; maxLagMs: number }) {
    this.#slowMs = slowMs;
    this.#maxLagMs = maxLagMs;
  }

  /** Takes a measurement and says whether the encode has been too slow ever since `slowMs` ago: it lags, and lags more. */
  isSlow(atMs: number, lagMs: number): boolean {
    if (lagMs <= this.#maxLagMs) {
      this.#samples = [];
      return false;
    }
    this.#samples.push({ atMs, lagMs });
    // The newest of those that are old enough is what to compare with.
    while (this.#samples[1] !== undefined && atMs - this.#samples[1].atMs >= this.#slowMs) this.#samples.shift();
    const [oldest] = this.#samples;
    return oldest !== undefined && atMs - oldest.atMs >= this.#slowMs && lagMs > oldest.lagMs;
  }
}
