import type { Hold } from '../../shared/model/live.ts';
import { ownSoftware } from '../rtmp/software.ts';

/** No encoder has tried for this long: none comes back by itself any more. */
const quietMs = 60_000;
/** Encoders wait longer each time, OBS half as long again: the next try comes within twice the pause before the last one. */
const backOff = 2;

/** What the encoder is told. */
export const describeHold =
  'This stream was stopped in Tallylight. Let it in there, or stop sending for a while and try again.';

/** Since *Stop*; once let in, only who is waited for. */
interface Held {
  sinceMs: number;
  lastTriedMs?: number;
  longestPauseMs: number;
  software?: string;
  ownSinceMs?: number;
  letInMs?: number;
}

/**
 * Refuses a stream's key after *Stop*, so that an encoder that reconnects by itself does not undo it: until the owner says
 * otherwise, or no encoder has tried for 60 s (longer where the tries are further apart). See decision 0009. It reads no clock:
 * times are those of `Clock.monotonicMs`.
 */
export class HoldAfterStop {
  #held: Held | undefined;

  begin(now: number): void {
    this.#held = { sinceMs: now, longestPauseMs: 0 };
  }

  /**
   * The owner lets encoders come again: all, or, going live from here, our own, each time it connects. One that still reconnects
   * would take its place. One that has tried may pause for minutes before it tries again: it is waited for.
   */
  letIn(who: 'all' | 'own', now: number): void {
    if (this.#held === undefined) return;
    if (who === 'own') {
      this.#held.ownSinceMs ??= now;
      delete this.#held.letInMs;
    } else if (this.#held.lastTriedMs === undefined) this.#held = undefined;
    else this.#held.letInMs = now;
  }

  /** An encoder tries, with this `software` in its `connect`: says whether it is to be refused. `name` is what it is called, if that is known. */
  refuses(now: number, software: string | undefined, name: string | undefined): boolean {
    this.lapse(now);
    const held = this.#held;
    if (held?.letInMs !== undefined) {
      this.#held = undefined;
      return false;
    }
    if (held === undefined || (software === ownSoftware && held.ownSinceMs !== undefined)) return false;
    held.longestPauseMs = Math.max(held.longestPauseMs, now - (held.lastTriedMs ?? now));
    held.lastTriedMs = now;
    if (name !== undefined) held.software = name;
    return true;
  }

  /** Ends it when its time has come; says whether it did. */
  lapse(now: number): boolean {
    if (this.#held === undefined) return false;
    const { sinceMs, lastTriedMs, longestPauseMs } = this.#held;
    if (now - (lastTriedMs ?? sinceMs) < Math.max(quietMs, longestPauseMs * backOff)) return false;
    this.#held = undefined;
    return true;
  }

  /** As the screens are told it. */
  view(timeOfDay: (atMs: number) => number): Hold | undefined {
    if (this.#held === undefined) return undefined;
    const { sinceMs, lastTriedMs, letInMs, software, ownSinceMs = Number.NEGATIVE_INFINITY } = this.#held;
    // Whoever has gone live from here hears of it again when an encoder is refused.
    if (ownSinceMs > (lastTriedMs ?? sinceMs)) return undefined;
    return {
      since: timeOfDay(sinceMs),
      ...(lastTriedMs !== undefined && { lastTriedAt: timeOfDay(lastTriedMs) }),
      ...(letInMs !== undefined && { letInAt: timeOfDay(letInMs) }),
      ...(software !== undefined && { software }),
    };
  }
}
