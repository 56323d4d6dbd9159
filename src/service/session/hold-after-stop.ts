import type { Hold } from '../../shared/model/live.ts';
import { ownSoftware } from '../lib/own-software.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { SavedHold } from '../store/hold-table.ts';

/** No encoder has tried for this long: none comes back by itself any more. */
const quietMs = 60_000;
/** Encoders wait longer each time, OBS half as long again: the next try comes within twice the pause before the last one. */
const backOff = 2;
/** Pauses that grow by half add up to three times the last one: what tries again after an outage does so within half of it, ... */
const outageParts = 4;
/** ... and OBS never waits longer than 15 minutes. */
const longestKnownPauseMs = 15 * 60_000;
/** OBS has given up its 25 tries by then: a hold that was left for longer holds nobody any more. */
const forgottenMs = 4 * 3_600_000;

/** Since *Stop*; once let in, only who is waited for. Times are those of `Clock.monotonicMs`. */
interface Held {
  sinceMs: number;
  /** Since when encoders that try are heard: they are not while the service does not run. */
  heardSinceMs: number;
  lastTriedMs?: number;
  longestPauseMs: number;
  software?: string;
  /** An encoder that is not our own was on air, or waited for. */
  isForeign: boolean;
  ownSinceMs?: number;
  letInMs?: number;
}

/**
 * Refuses a stream's key after *Stop*, so that an encoder that reconnects by itself does not undo it: until the owner says
 * otherwise, or no encoder has tried for 60 s (longer where the tries are further apart). It outlives a restart of the service. See
 * decision 0009.
 */
export class HoldAfterStop {
  readonly #clock: Clock;
  readonly #save: (hold: SavedHold | undefined) => void;
  #held: Held | undefined;

  /** @param options.saved what an earlier run has left; `save` keeps it for the next one */
  constructor(options: { clock: Clock; saved?: SavedHold | undefined; save?: (hold: SavedHold | undefined) => void }) {
    this.#clock = options.clock;
    this.#save = options.save ?? (() => {});
    this.#held = options.saved && restore(options.saved, options.clock);
  }

  /** `isForeign`: one that is not our own was on air, or waited for. */
  begin({ isForeign }: { isForeign: boolean }): void {
    const now = this.#clock.monotonicMs();
    // One that was stopped before, and may still come, is not forgotten over a broadcast of our own.
    const mayCome = isForeign || this.#held?.isForeign === true;
    this.#set({ sinceMs: now, heardSinceMs: now, longestPauseMs: 0, isForeign: mayCome });
  }

  /**
   * The owner lets encoders come again: all, or, going live from here, our own, as often as they do. One that still reconnects
   * would take its place. One that has tried may pause for minutes before it tries again: it is waited for.
   */
  letIn(who: 'all' | 'own'): void {
    if (this.#held === undefined) return;
    const now = this.#clock.monotonicMs();
    const { letInMs: _, ...held } = this.#held;
    if (who === 'own') this.#set({ ...held, ownSinceMs: held.ownSinceMs ?? now });
    else if (held.lastTriedMs === undefined) this.end();
    else this.#set({ ...held, letInMs: now });
  }

  /** An encoder tries, with this `software` in its `connect`: says whether it is to be refused. `name` is what it is called, if that is known. */
  refuses(software: string | undefined, name: string | undefined): boolean {
    this.lapse();
    const held = this.#held;
    if (held?.letInMs !== undefined) {
      this.end();
      return false;
    }
    if (held === undefined || (software === ownSoftware && held.ownSinceMs !== undefined)) return false;
    const now = this.#clock.monotonicMs();
    const pauseMs = now - Math.max(held.lastTriedMs ?? now, held.heardSinceMs);
    const longestPauseMs = Math.max(held.longestPauseMs, pauseMs);
    this.#set({ ...held, lastTriedMs: now, longestPauseMs, ...(name !== undefined && { software: name }) });
    return true;
  }

  /** Ends it when its time has come; says whether it did. */
  lapse(): boolean {
    if (this.#held === undefined) return false;
    const { heardSinceMs, lastTriedMs = heardSinceMs, longestPauseMs } = this.#held;
    const silentMs = this.#clock.monotonicMs() - Math.max(lastTriedMs, heardSinceMs);
    if (silentMs < Math.max(quietMs, longestPauseMs * backOff)) return false;
    this.end();
    return true;
  }

  end(): void {
    if (this.#held !== undefined) this.#set(undefined);
  }

  /** As the screens are told it. */
  get view(): Hold | undefined {
    if (this.#held === undefined) return undefined;
    const { sinceMs, isForeign, lastTriedMs, letInMs, software, ownSinceMs = Number.NEGATIVE_INFINITY } = this.#held;
    // Whoever has gone live from here hears of it again when an encoder is refused.
    if (ownSinceMs > (lastTriedMs ?? sinceMs)) return undefined;
    return {
      since: timeOfDay(this.#clock, sinceMs),
      isForeign,
      ...(lastTriedMs !== undefined && { lastTriedAt: timeOfDay(this.#clock, lastTriedMs) }),
      ...(letInMs !== undefined && { letInAt: timeOfDay(this.#clock, letInMs) }),
      ...(software !== undefined && { software }),
    };
  }

  #set(held: Held | undefined): void {
    this.#held = held;
    // Who was let in is not refused after a restart either.
    if (held === undefined || held.letInMs !== undefined) this.#save(undefined);
    else this.#save(describeSaved(held, this.#clock));
  }
}

function describeSaved({ sinceMs, lastTriedMs, longestPauseMs, software, isForeign }: Held, clock: Clock): SavedHold {
  return {
    since: timeOfDay(clock, sinceMs),
    lastTriedAt: lastTriedMs === undefined ? null : timeOfDay(clock, lastTriedMs),
    longestPauseMs,
    software: software ?? null,
    isForeign,
  };
}

/**
 * The hold that an earlier run left. Nobody heard the encoders meanwhile: the quiet time begins anew, and is as long as those may
 * pause by now. A wall clock that was set back counts as no time between.
 */
function restore({ since, lastTriedAt, longestPauseMs, software, isForeign }: SavedHold, clock: Clock): Held | undefined {
  const now = clock.monotonicMs();
  const agoMs = (at: number) => Math.max(0, clock.now() - at);
  const outageMs = agoMs(lastTriedAt ?? since);
  if (outageMs > forgottenMs) return undefined;
  return {
    sinceMs: now - agoMs(since),
    heardSinceMs: now,
    isForeign,
    longestPauseMs: Math.max(longestPauseMs, Math.min(outageMs / outageParts, longestKnownPauseMs / backOff)),
    ...(lastTriedAt !== null && { lastTriedMs: now - agoMs(lastTriedAt) }),
    ...(software !== null && { software }),
  };
}
