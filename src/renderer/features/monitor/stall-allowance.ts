import type Hls from 'hls.js';

/**
 * After this long without a stall, a third of them is forgotten, at least one, in milliseconds.
 *
 * A network that stalls every few minutes is never quiet this long, so the player settles at a distance that suits it. Moving one step
 * closer then costs the viewer a stall of 0.2 s every ten minutes or so, and the player never jumps to the edge. The few stalls of rare
 * troubles in a show, such as an encoder that reconnects, are forgotten within the hour, and the most that hls.js ever adds within two
 * hours.
 */
const quietMs = 10 * 60_000;
/**
 * The pause between forgetting two stalls, in milliseconds. `holdLiveEdge` catches up the 0.2 s of one stall in 2.5 s. If the player's
 * target moved ahead faster, the picture would soon be so far behind it that hls.js jumps.
 */
const stepMs = 3_000;

/** Counts the stalls that still keep a player back. It reads no clock: it is given times, in milliseconds of a monotonic clock. */
export class StallAllowance {
  readonly #increaseSeconds: number;
  #stalls = 0;
  #remembered = 0;
  /** How many stalls should be remembered; fewer than `#remembered` while some are being forgotten. */
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

  /** The increase per stall, in seconds, with which all stalls so far move the player back as far as the remembered ones should. */
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
 * Lets a player move closer to live again when its stalls are long past. hls.js itself counts stalls for as long as it plays, and each one
 * moves the player farther behind the live edge (`liveSyncOnStallIncrease`): in a show of days this would only grow. Returns a function to
 * call now and then.
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
