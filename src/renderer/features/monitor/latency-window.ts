/** One look at the player; times in milliseconds, `atMs` and `dateMs` of the Unix epoch. */
export interface LatencyLook {
  /** When, by the page's clock. */
  atMs: number;
  /** The program date-time of the picture that shows. */
  dateMs: number;
  /** How much media is there ahead of the picture. */
  bufferMs: number | undefined;
  /** How far the service's clock is ahead of the page's, as the newest message tells: less by the time that it was on its way. */
  clockOffsetMs: number;
}

/** What the looks amount to, in milliseconds. */
export interface MeasuredLatency {
  totalMs: number;
  /** What the player never has less of: between two parts it has up to one more. */
  bufferMs: number | undefined;
}

/** Looks enough for one of them to come right before a part does. */
const bufferWindowMs = 4_000;
/** Some messages of the service: one of them was hardly on its way. */
const clockWindowMs = 10_000;
/** No player that follows the live edge is farther behind. */
const maxTotalMs = 120_000;
/** Looks and clocks are this exact. */
const toleranceMs = 100;

/** Draws the latency of the picture that shows from looks at the player. */
export class LatencyWindow {
  #looks: LatencyLook[] = [];

  /**
   * Adds a look, and says what is known now; undefined where that cannot be true, since the clocks of two computers differ: the
   * picture would be younger than what is buffered after it, or older than any that is followed live.
   */
  add(look: LatencyLook): MeasuredLatency | undefined {
    this.#looks = [...this.#looks.filter(({ atMs }) => Math.abs(look.atMs - atMs) < clockWindowMs), look];
    const clockOffsetMs = Math.max(...this.#looks.map((one) => one.clockOffsetMs));
    const totalMs = look.atMs + clockOffsetMs - look.dateMs;
    const buffers = this.#looks.flatMap(({ atMs, bufferMs }) => (look.atMs - atMs < bufferWindowMs ? (bufferMs ?? []) : []));
    const bufferMs = buffers.length === 0 ? undefined : Math.min(...buffers);
    const isPossible = totalMs >= Math.max((bufferMs ?? 0) - toleranceMs, 0) && totalMs <= maxTotalMs;
    return isPossible ? { totalMs, bufferMs } : undefined;
  }
}
