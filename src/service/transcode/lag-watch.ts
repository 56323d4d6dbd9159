/** How far an encode lagged at one moment: the media fed to it that is not out yet. */
interface Sample {
  atMs: number;
  lagMs: number;
}

/** Tells from an encode's lag whether it is slower than real time. Holds no clock: it is fed times. */
export class LagWatch {
  readonly #slowMs: number;
  readonly #maxLagMs: number;
  #samples: Sample[] = [];

  constructor({ slowMs, maxLagMs }: { slowMs: number; maxLagMs: number }) {
    this.#slowMs = slowMs;
    this.#maxLagMs = maxLagMs;
  }

  /** Takes a measurement; true if the encode has lagged for `slowMs` and lags more than it did then. */
  isSlow(atMs: number, lagMs: number): boolean {
    if (lagMs <= this.#maxLagMs) {
      this.#samples = [];
      return false;
    }
    this.#samples.push({ atMs, lagMs });
    // Compared with the newest sample that is old enough.
    while (this.#samples[1] !== undefined && atMs - this.#samples[1].atMs >= this.#slowMs) this.#samples.shift();
    const [oldest] = this.#samples;
    return oldest !== undefined && atMs - oldest.atMs >= this.#slowMs && lagMs > oldest.lagMs;
  }
}
