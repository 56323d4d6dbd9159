/** A time limit for each of several steps: its signal aborts when one takes too long. */
export class StepLimit implements Disposable {
  readonly #limitMs: number;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Begins the first step. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.next();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Begins the next step. */
  next(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort.abort(), this.#limitMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
