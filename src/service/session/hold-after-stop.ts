import type { Hold } from '../../shared/model/live.ts';
import { ownSoftware } from '../lib/own-software.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { SavedHold } from '../store/hold-table.ts';
import { backOff, longestNextPauseMs } from './retry-pauses.ts';

/** OBS makes each pause longer by this factor: the one under way when an outage begins may be that much longer than any noticed. */
const growth = 1.5;
/** Pauses that grow by half add up to three times the last: the next one is up to half the outage, a quarter before `backOff`. */
const outageParts = 4;
/** OBS never waits longer than this. */
const longestKnownPauseMs = 15 * 60_000;
/** By then OBS has used up its 25 retries, so nothing is left to refuse. */
const forgottenMs = 4 * 3_600_000;

/** The hold since *Stop*; once lifted, it only awaits the publisher that tried. Times are those of `Clock.monotonicMs`. */
interface Held {
  /** When it began, by the wall clock at that moment. */
  id: number;
  sinceMs: number;
  /** Since when tries would be noticed: they aren't while the service isn't running or the computer sleeps. */
  heardSinceMs: number;
  lastTriedMs?: number;
  longestPauseMs: number;
  software?: string;
  /** Another publisher than our own was on air, or the stream waited for it. */
  isForeign: boolean;
  ownSinceMs?: number;
  letInMs?: number;
}

/**
 * Refuses a stream's key after *Stop*, so that a publisher that reconnects by itself does not undo it: until the owner lifts it, or
 * nobody has tried for 60 s (longer if the tries are further apart). It outlives a restart of the service, and sleep. See decision 0009.
 */
export class HoldAfterStop {
  readonly #clock: Clock;
  readonly #save: (hold: SavedHold | undefined) => void;
  #held: Held | undefined;

  /** @param options.saved the hold that an earlier run saved; `save` keeps it for the next run */
  constructor(options: { clock: Clock; saved: SavedHold | undefined; save: (hold: SavedHold | undefined) => void }) {
    this.#clock = options.clock;
    this.#save = options.save;
    this.#held = options.saved && restore(options.saved, options.clock);
  }

  /** `isForeign`: another publisher than our own was on air, or the stream waited for it. */
  begin({ isForeign }: { isForeign: boolean }): void {
    const now = this.#clock.monotonicMs();
    // A publisher that was stopped before may still reconnect, even after a session of our own.
    const mayCome = isForeign || this.#held?.isForeign === true;
    this.#set({ id: timeOfDay(this.#clock, now), sinceMs: now, heardSinceMs: now, longestPauseMs: 0, isForeign: mayCome });
  }

  /**
   * The owner lets publishers in again: all, or only our own when going live from here, since another one that still reconnects would
   * take its place. One that has tried may pause for minutes before it tries again: the hold waits for it.
   */
  letIn(who: 'all' | 'own'): void {
    if (this.#held === undefined) return;
    const now = this.#clock.monotonicMs();
    const { letInMs: _, ...held } = this.#held;
    if (who === 'own') this.#set({ ...held, ownSinceMs: held.ownSinceMs ?? now });
    else if (held.lastTriedMs === undefined) this.end();
    else this.#set({ ...held, letInMs: now });
  }

  /** A publisher tries, with this `software` in its `connect`. Returns whether to refuse it. `name` is what people call it, if known. */
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

  /** Ends the hold if its time is over. Returns whether it did. */
  lapse(): boolean {
    if (this.#held === undefined) return false;
    const { heardSinceMs, lastTriedMs = heardSinceMs, longestPauseMs } = this.#held;
    const silentMs = this.#clock.monotonicMs() - Math.max(lastTriedMs, heardSinceMs);
    if (silentMs < longestNextPauseMs(longestPauseMs)) return false;
    this.end();
    return true;
  }

  /**
   * Tries went unnoticed for this long, until now. Call it before {@link lapse}: else that time counts as silence on macOS and
   * Windows.
   */
  noteOutage(outageMs: number): void {
    if (this.#held !== undefined) this.#set({ ...this.#held, ...hearAgain(this.#held, outageMs, this.#clock) });
  }

  end(): void {
    if (this.#held !== undefined) this.#set(undefined);
  }

  /** Whether publishers are refused: all of them, or all but our own. */
  get isOn(): boolean {
    return this.#held !== undefined;
  }

  /** The hold as screens get it. */
  get view(): Hold | undefined {
    if (this.#held === undefined) return undefined;
    const { id, sinceMs, isForeign, lastTriedMs, letInMs, software, ownSinceMs = Number.NEGATIVE_INFINITY } = this.#held;
    // After going live from here the hold shows again only when a publisher is refused.
    if (ownSinceMs > (lastTriedMs ?? sinceMs)) return undefined;
    return {
      id,
      since: timeOfDay(this.#clock, sinceMs),
      isForeign,
      ...(lastTriedMs !== undefined && { lastTriedAt: timeOfDay(this.#clock, lastTriedMs) }),
      ...(letInMs !== undefined && { letInAt: timeOfDay(this.#clock, letInMs) }),
      ...(software !== undefined && { software }),
    };
  }

  #set(held: Held | undefined): void {
    this.#held = held;
    // A hold that was lifted stays lifted after a restart.
    if (held === undefined || held.letInMs !== undefined) this.#save(undefined);
    else this.#save(describeSaved(held, this.#clock));
  }
}

function describeSaved({ id, lastTriedMs, longestPauseMs, software, isForeign }: Held, clock: Clock): SavedHold {
  return {
    since: id,
    lastTriedAt: lastTriedMs === undefined ? null : timeOfDay(clock, lastTriedMs),
    longestPauseMs,
    software: software ?? null,
    isForeign,
  };
}

/**
 * The changes after an outage in which tries went unnoticed: the quiet time starts again, and is as long as publishers may pause
 * by now.
 */
function hearAgain(
  { longestPauseMs }: Pick<Held, 'longestPauseMs'>,
  outageMs: number,
  clock: Clock,
): Pick<Held, 'heardSinceMs' | 'longestPauseMs'> {
  const mayPauseMs = Math.ceil(Math.min(longestPauseMs * growth + outageMs / outageParts, longestKnownPauseMs / backOff));
  return { heardSinceMs: clock.monotonicMs(), longestPauseMs: Math.max(longestPauseMs, mayPauseMs) };
}

/** The hold that an earlier run left. If the wall clock was set back, no time counts as passed. */
function restore({ since, lastTriedAt, longestPauseMs, software, isForeign }: SavedHold, clock: Clock): Held | undefined {
  const now = clock.monotonicMs();
  const agoMs = (at: number) => Math.max(0, clock.now() - at);
  const outageMs = agoMs(lastTriedAt ?? since);
  if (outageMs > forgottenMs) return undefined;
  return {
    id: since,
    sinceMs: now - agoMs(since),
    ...hearAgain({ longestPauseMs }, outageMs, clock),
    isForeign,
    ...(lastTriedAt !== null && { lastTriedMs: now - agoMs(lastTriedAt) }),
    ...(software !== null && { software }),
  };
}
