/** One look at the player; times in milliseconds, `atMs` and `dateMs` of the Unix epoch. */
export interface LatencyLook {
  /** Page's clock. */
  atMs: number;
  /** The program date-time of the current frame. */
  dateMs: number;
  /** Media buffered ahead of the current frame. */
  bufferMs: number | undefined;
  /** How far the service's clock is ahead of the page's, from the newest message, less that message's travel time. */
  clockOffsetMs: number;
}

/** The result of several looks, in milliseconds. */
export interface MeasuredLatency {
  totalMs: number;
  /** The minimum the player holds; between two parts it has up to one part more. */
  bufferMs: number | undefined;
}

/** Long enough for one look to fall just before a part arrives. */
const bufferWindowMs = 4_000;
/** Long enough for several messages from the service, at least one of them with little travel time. */
const clockWindowMs = 10_000;
/** A player that follows the live edge is never farther behind. */
const maxTotalMs = 120_000;
/** Precision of looks and clocks. */
const toleranceMs = 100;

/** Derives the latency of the current frame from looks at the player. */
export class LatencyWindow {
  #looks: LatencyLook[] = [];

  /**
   * Adds a look and returns the current result. Undefined if it can't be true because two computers' clocks differ: the frame
   * would be newer than what is buffered after it, or too old to be followed live.
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
