/** The service asks for what it misses every two seconds: the fifth question in a row releases a device. */
const maxMisses = 5;

/** Counts how often the service has asked in a row for media of a device that always sends some. */
export class MissCounter {
  readonly #onStuck: () => void;
  #misses = 0;

  constructor(onStuck: () => void) {
    this.#onStuck = onStuck;
  }

  /** It asks. Returns how often by now. */
  miss(): number {
    this.#misses += 1;
    if (this.#misses === maxMisses) this.#onStuck();
    return this.#misses;
  }

  /** There was some, or something else is wanted. */
  restart(): void {
    this.#misses = 0;
  }
}
