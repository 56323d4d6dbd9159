/** The service asks for missing media every two seconds: the fifth question in a row releases a device. */
const maxMisses = 5;

/** Counts the service's consecutive questions for media of a device that should always send some. */
export class MissCounter {
  readonly #onStuck: () => void;
  #misses = 0;

  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  /** The service asks. Returns how often it has by now. */
  miss(): number {
    this.#misses += 1;
    if (this.#misses === maxMisses) this.#onStuck();
    return this.#misses;
  }

  /** Media arrived, or the wanted media has changed. */
  restart(): void {
    this.#misses = 0;
  }
}
