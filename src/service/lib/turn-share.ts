/** Work that is done in pieces. */
export interface Worker {
  /** Makes some progress, and stops soon after `budget` is spent. */
  work(budget: number): { spent: number; done: boolean };
}

export interface TurnShareOptions {
  /** Most work done in one turn of the event loop, for all workers together. */
  perTurn: number;
  /** How much one worker may do before the next one runs. */
  perSlice: number;
}

/**
 * Divides each turn of the event loop among the workers, one slice at a time, so that a demanding worker blocks neither the others nor
 * the loop.
 */
export class TurnShare {
  readonly #options: TurnShareOptions;
  /** In order of waiting. */
  readonly #waiting = new Set<Worker>();
  #left: number;
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(options: TurnShareOptions) {
    this.#options = options;
    this.#left = options.perTurn;
  }

  /** Starts the work at once if this turn has budget left; the rest is done in later turns. */
  begin(worker: Worker): void {
    this.#waiting.add(worker);
    if (this.#waiting.size === 1 && this.#left > 0) this.#runSlice(worker);
    // A turn of its own costs as much as reading a few frames: small work of several turns shares one budget until half is spent.
    const needsTurn = this.#waiting.size > 0 || this.#left < this.#options.perTurn / 2;
    if (needsTurn) this.#nextTurn ??= setImmediate(() => this.#turn());
  }

  /** Drops the rest of this worker's work. */
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
    // After a turn without work, stop scheduling turns.
    const idle = this.#left === this.#options.perTurn;
    this.#nextTurn = idle ? undefined : setImmediate(() => this.#turn());
  }

  #runSlice(worker: Worker): void {
    this.#waiting.delete(worker);
    const { spent, done } = worker.work(Math.min(this.#options.perSlice, this.#left));
    // A worker that does nothing must not run forever either.
    this.#left -= Math.max(spent, 1);
    if (!done) this.#waiting.add(worker);
  }
}
