/** Runs a bounded number of tasks side by side; the others wait for their turn, in order. */
export class SideBySide {
  readonly #most: number;
  #running = 0;
  /** Functions that start the waiting tasks, the longest-waiting first. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs a task in its turn: now if fewer than the most are running.
   *
   * @throws what the task throws, or the signal's reason if it aborts before its turn; the task is not run then
   */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#running < this.#most) this.#running += 1;
    else await this.#wait(signal);
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(start);
        reject(signal?.reason);
      };
      const start = () => {
        this.#waiting.delete(start);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
