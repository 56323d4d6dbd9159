/** Somebody whose work comes in pieces. */
export interface Worker {
  /** Does at least a little, and stops soon after `budget` is spent. */
  work(budget: number): { spent: number; done: boolean };
}

export interface TurnShareOptions {
  /** Work that is done in one turn of the event loop at most, whoever asks for it. */
  perTurn: number;
  /** What one worker may do before it is the next one's turn. */
  perSlice: number;
}

/**
 * Divides each turn of the event loop among those who have work, one slice after the other, so that one who asks for much neither
 * keeps the others waiting nor the loop.
 */
export class TurnShare {
  readonly #options: TurnShareOptions;
  /** In the order in which they wait. */
  readonly #waiting = new Set<Worker>();
  #left: number;
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(options: TurnShareOptions) {
    this.#options = options;
    this.#left = options.perTurn;
  }

  /** Begins the work at once where there is time left in this turn; what is left of it is done in later ones. */
  begin(worker: Worker): void {
    this.#waiting.add(worker);
    if (this.#waiting.size === 1 && this.#left > 0) this.#runSlice(worker);
    this.#nextTurn ??= setImmediate(() => this.#turn());
  }

  /** The rest of its work needs not be done. */
  leave(worker: Worker): void {
    this.#waiting.delete(worker);
  }

  #turn(): void {
    this.#left = this.#options.perTurn;
    while (this.#left > 0) {
      const next = this.#waiting.values().next();
      if (next.done) break;
      this.#runSlice(next.value);
    }
    // Without work there is no turn more than the one that says so.
    const idle = this.#left === this.#options.perTurn;
    this.#nextTurn = idle ? undefined : setImmediate(() => this.#turn());
  }

  #runSlice(worker: Worker): void {
    this.#waiting.delete(worker);
    const { spent, done } = worker.work(Math.min(this.#options.perSlice, this.#left));
    // What does nothing may not go on for ever either.
    this.#left -= Math.max(spent, 1);
    if (!done) this.#waiting.add(worker);
  }
}
