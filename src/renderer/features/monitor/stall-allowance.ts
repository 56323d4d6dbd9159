import type Hls from 'hls.js';

/**
 * After this long without a stall, a third of them is forgotten, at least one, in milliseconds.
 *
 * A network that stalls every few minutes isn't quiet, so the player finds its distance there. Coming nearer by one step then costs such a
 * viewer a stall of 0.2 s every ten minutes or so, and never leads to the edge at once. The few stalls that a show's rare troubles add, as
 * when an encoder reconnects, are gone within the hour, and the most that hls.js ever adds within two.
 */
const quietMs = 10 * 60_000;
/**
 * How far apart stalls are forgotten, in milliseconds. `holdLiveEdge` makes up for the 0.2 s of one in 2.5 s. If its place moved ahead
 * faster, the picture would soon be so far behind it that hls.js jumps.
 */
const stepMs = 3_000;

/** Which of a player's stalls still keep it back. Holds no clock: it is fed times, milliseconds of a monotonic one. */
export class StallAllowance {
  readonly #increaseSeconds: number;
  #stalls = 0;
  #remembered = 0;
  /** How many are to be remembered; fewer than are, while some are being forgotten. */
  #kept = 0;
  #quietSinceMs = 0;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  /** @param increaseSeconds how far one stall moves the player back */
  constructor(increaseSeconds: number) {
    this.#increaseSeconds = increaseSeconds;
  }

  /** Notes a stall. */
  note(now: number): void {
    this.#stalls += 1;
    this.#remembered += 1;
    this.#kept = this.#remembered;
    this.#quietSinceMs = now;
  }

  /** How far each of all stalls so far moves the player back, so that together they move it as far as those remembered; in seconds. */
  findIncrease(now: number): number {
    if (now - this.#quietSinceMs >= quietMs) {
      this.#kept -= Math.min(this.#kept, Math.max(1, Math.floor(this.#kept / 3)));
      this.#quietSinceMs = now;
    }
    if (this.#remembered > this.#kept && now - this.#forgotAtMs >= stepMs) {
      this.#remembered -= 1;
      this.#forgotAtMs = now;
    }
    return this.#stalls === 0 ? this.#increaseSeconds : (this.#increaseSeconds * this.#remembered) / this.#stalls;
  }
}

/**
 * Lets a player come forward again when its stalls are long ago. hls.js itself counts them for as long as it plays, and each moves its
 * place behind the live edge farther back (`liveSyncOnStallIncrease`), which would only grow in a show of days. Returns what to call now
 * and then.
 */
export function forgetStalls(hls: Pick<Hls, 'on' | 'config'>, readMs = () => performance.now()): () => void {
  // This file is also loaded by pages that have hls.js as a global: it imports nothing but types.
  const { Events, ErrorDetails } = hls.constructor as typeof Hls;
  const allowance = new StallAllowance(hls.config.liveSyncOnStallIncrease);
  hls.on(Events.ERROR, (_event, { details }) => {
    if (details === ErrorDetails.BUFFER_STALLED_ERROR) allowance.note(readMs());
  });
  return () => {
    hls.config.liveSyncOnStallIncrease = allowance.findIncrease(readMs());
  };
}
