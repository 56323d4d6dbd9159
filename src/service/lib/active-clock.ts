/** How often it checks that this process is scheduled. */
const tickMs = 50;
/** How late a timer may be without anything being wrong. */
const lateMs = 10;

/**
 * A clock that stops while this process isn't scheduled: on a busy computer, a peer that only waits for us isn't slow.
 * In milliseconds; `close` it.
 */
export class ActiveClock {
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #activeMs = 0;
  #tickedMs: number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#tickedMs = now();
    this.#timer = setInterval(() => {
      this.#activeMs = this.now();
      this.#tickedMs = this.#now();
    }, tickMs).unref();
  }

  now(): number {
    return this.#activeMs + Math.min(this.#now() - this.#tickedMs, tickMs + lateMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
