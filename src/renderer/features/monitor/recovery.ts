import { assertNever } from '../../../shared/assert-never.ts';
import { addRecent } from '../../../shared/recent-times.ts';

/** How long the playhead may be stuck before something is done, in milliseconds. */
const stuckAfterMs = 4_000;
/** How long after the last segment the media counts as silent. */
const silentAfterMs = 4_000;
/** How long a playing picture waits for media that a lighter rendition might have delivered. By then the switch is no worse. */
const slowAfterMs = 1_000;
/** With this much buffered ahead, in seconds, a stuck playhead isn't short of media. */
const ampleAheadSeconds = 1;
/** How long the monitor plays on for nobody: less is a glance at another tab. */
const closesAfterMs = 5_000;
/** Media errors within this time belong together: each gets a stronger remedy than the last. */
const mediaErrorWindowMs = 10_000;

/** Why the monitor shows no moving picture although it should. */
export type HoldReason = 'no-segment' | 'unreachable' | 'undecodable' | 'stuck';

/**
 * The viewer paused it. `isRefused`: the browser starts nothing before the viewer presses Play. `isByBrowser`: the browser paused it since
 * nobody sees it, and resumes it.
 */
type PausedPhase = { kind: 'paused'; isRefused?: true; isByBrowser?: true };

/** The monitor's phase. */
export type MonitorPhase =
  /** Nothing to play. */
  | { kind: 'idle' }
  /** A player is opening and shows no picture yet. */
  | { kind: 'opening' }
  | { kind: 'playing' }
  | PausedPhase
  /** The last picture is frozen; `sinceMs` is when it stopped. */
  | { kind: 'held'; reason: HoldReason; sinceMs: number }
  /** Nobody sees or hears it, so it has no player. `next`: its phase once somebody does. */
  | { kind: 'unwatched'; next: PausedPhase | { kind: 'opening' } };

/** The state of the recovery; times are milliseconds of one clock. */
export interface RecoveryState {
  phase: MonitorPhase;
  /** The broadcast on air; absent off air. */
  sessionId: string | undefined;
  /** When to open a new player after a failure. */
  reopenAtMs: number | undefined;
  /** Players in a row that failed without a moving picture. */
  failures: number;
  mediaErrorsAtMs: readonly number[];
  advancedAtMs: number;
  segmentAtMs: number;
  /** Whether media arrives at the service; if not, that explains the silence. */
  arrives: boolean;
  /** Since when media arrives. */
  arrivesSinceMs: number;
  /** When a stuck playhead was last moved. */
  nudgedAtMs: number | undefined;
  /** When it closes its player, since nobody sees or hears it; absent while somebody does. */
  closesAtMs: number | undefined;
}

export type FatalCause = 'network' | 'codecs' | 'media' | 'other';

/** An event, at a time of the same clock. `arrives`: whether media arrives at the service. */
export type RecoveryEvent = { atMs: number } & (
  | { kind: 'air'; sessionId: string | undefined; arrives: boolean }
  | { kind: 'advanced' }
  | { kind: 'segment' }
  /** The player gave up. `codecs`: it decodes none of the variants, so it loaded nothing and has nothing to repair. */
  | { kind: 'fatal'; cause: FatalCause }
  /** The playlist ended and was played to its end. */
  | { kind: 'ended' }
  | { kind: 'paused' }
  /** The browser doesn't let it play (HTML §4.8.11.8, "allowed to play"). */
  | { kind: 'refused' }
  | { kind: 'resumed' }
  /** `isWatched`: whether somebody can see or hear the monitor. */
  | { kind: 'watched'; isWatched: boolean }
  /** The playing rendition is no longer available, or another one is wanted; only a new player knows it. */
  | { kind: 'outdated' }
  /**
   * `isRewound`: the viewer rewound to a moment that is still in the window. `aheadSeconds`: how far the buffer reaches beyond
   * the playhead, across holes. `hasLighter`: more media is available than has arrived, and so is a rendition that may arrive
   * faster, which only a new player finds.
   */
  | { kind: 'tick'; isRewound: boolean; aheadSeconds: number; hasLighter: boolean }
);

/**
 * A command to the player. `open` replaces any player with a new one; `close` leaves no player and no sound, only the last picture; so does
 * `close-for-now`, but the next player returns to where the viewer was.
 */
export type RecoveryCommand =
  | 'open'
  | 'close'
  | 'close-for-now'
  | 'recover-media'
  | 'swap-audio-and-recover'
  | 'jump-to-live'
  /** Skips unplayable media, staying as far behind live. */
  | 'skip-ahead';

export interface Step {
  state: RecoveryState;
  commands: readonly RecoveryCommand[];
}

/** The state off air. */
export const initialRecovery: RecoveryState = {
  phase: { kind: 'idle' },
  sessionId: undefined,
  reopenAtMs: undefined,
  failures: 0,
  mediaErrorsAtMs: [],
  advancedAtMs: 0,
  segmentAtMs: 0,
  arrives: true,
  arrivesSinceMs: 0,
  nudgedAtMs: undefined,
  closesAtMs: undefined,
};

/** Pause before a new player after `failures` failed ones: 500 ms at first, doubled each time, at most 5 s. */
export function reopenDelayMs(failures: number): number {
  return Math.min(5_000, 500 * 2 ** Math.min(failures, 10));
}

/**
 * The next state and commands for an event. While the stream is on air it never gives up: every failure repairs the player, or
 * opens a new one after a pause. While nobody watches, it has no player.
 */
export function recover(state: RecoveryState, event: RecoveryEvent): Step {
  if (event.kind === 'air') return onAir(noteArrival(state, event), event);
  if (event.kind === 'watched') return onWatched(state, event);
  // Without a player, nothing else matters.
  if (state.phase.kind === 'unwatched') return stay(state);
  switch (event.kind) {
    case 'advanced':
      return stay({
        ...state,
        advancedAtMs: event.atMs,
        nudgedAtMs: undefined,
        failures: 0,
        reopenAtMs: undefined,
        phase: isShowing(state.phase) ? { kind: 'playing' } : state.phase,
      });
    case 'segment':
      return stay({ ...state, segmentAtMs: event.atMs });
    case 'fatal':
      return onFatal(state, event.cause, event.atMs);
    case 'ended':
      return state.sessionId === undefined ? stay(state) : reopenLater(state, 'no-segment', event.atMs);
    case 'paused':
      return onPaused(state);
    case 'refused':
      return stay(isShowing(state.phase) ? { ...state, phase: { kind: 'paused', isRefused: true } } : state);
    case 'resumed':
      return onResumed(state, event.atMs);
    case 'outdated':
      return state.sessionId === undefined ? stay(state) : open({ ...state, phase: { kind: 'opening' } }, event.atMs);
    case 'tick':
      return onTick(state, event);
    default:
      return assertNever(event);
  }
}

/**
 * Whether a screen should show this step at once. New media and playhead updates come ten times a second, and can wait for the next
 * tick.
 */
export function isNews(kind: RecoveryEvent['kind'], before: MonitorPhase, after: MonitorPhase): boolean {
  return (kind !== 'segment' && kind !== 'advanced') || before.kind !== after.kind;
}

const stay = (state: RecoveryState): Step => ({ state, commands: [] });

/** Phases in which a moving playhead means that there is a picture. */
function isShowing(phase: MonitorPhase): boolean {
  return phase.kind === 'opening' || phase.kind === 'held' || phase.kind === 'playing';
}

function noteArrival(state: RecoveryState, { arrives, atMs }: Extract<RecoveryEvent, { kind: 'air' }>): RecoveryState {
  return { ...state, arrives, arrivesSinceMs: arrives && !state.arrives ? atMs : state.arrivesSinceMs };
}

function onAir(state: RecoveryState, { sessionId, arrives, atMs }: Extract<RecoveryEvent, { kind: 'air' }>): Step {
  if (sessionId === state.sessionId) return stay(state);
  // Off air there is nothing to keep playing for a glance at another tab.
  const closesAtMs = state.closesAtMs && Math.min(state.closesAtMs, atMs);
  if (sessionId === undefined) return { state: { ...initialRecovery, closesAtMs }, commands: ['close'] };
  const next = { ...initialRecovery, arrives, sessionId, closesAtMs: state.closesAtMs };
  if (!mustClose(next, atMs)) return open(next, atMs);
  // The player of the broadcast before runs until the tick that closes it.
  const hasPlayer = state.sessionId !== undefined && state.phase.kind !== 'unwatched';
  return { state: { ...next, phase: { kind: 'unwatched', next: { kind: 'opening' } } }, commands: hasPlayer ? ['close'] : [] };
}

function onWatched(state: RecoveryState, { isWatched, atMs }: Extract<RecoveryEvent, { kind: 'watched' }>): Step {
  if (!isWatched) {
    return stay({ ...state, closesAtMs: state.closesAtMs ?? (state.sessionId === undefined ? atMs : atMs + closesAfterMs) });
  }
  const next = { ...state, closesAtMs: undefined };
  return state.phase.kind === 'unwatched' ? open({ ...next, phase: state.phase.next }, atMs) : stay(next);
}

function mustClose({ closesAtMs }: RecoveryState, atMs: number): boolean {
  return closesAtMs !== undefined && atMs >= closesAtMs;
}

function closeForNow(state: RecoveryState): Step {
  const { phase } = state;
  const next = phase.kind === 'paused' && phase.isByBrowser === undefined ? phase : ({ kind: 'opening' } as const);
  return { state: { ...state, phase: { kind: 'unwatched', next } }, commands: ['close-for-now'] };
}

/** If nobody watches, no viewer has paused it: browsers pause a muted picture on a hidden page. */
function onPaused(state: RecoveryState): Step {
  if (state.phase.kind !== 'playing') return stay(state);
  return stay({
    ...state,
    phase: state.closesAtMs === undefined ? { kind: 'paused' } : { kind: 'paused', isByBrowser: true },
  });
}

/** Now repairs what broke during the pause, when nobody was watching. */
function onResumed(state: RecoveryState, atMs: number): Step {
  if (state.phase.kind !== 'paused') return stay(state);
  if (state.reopenAtMs !== undefined) return open({ ...state, phase: { kind: 'opening' } }, atMs);
  return stay({ ...state, phase: { kind: 'playing' }, advancedAtMs: atMs, segmentAtMs: atMs, nudgedAtMs: undefined });
}

/** A new player; the time it takes to show something counts from now. */
function open(state: RecoveryState, atMs: number): Step {
  const phase: MonitorPhase = state.phase.kind === 'held' || state.phase.kind === 'paused' ? state.phase : { kind: 'opening' };
  return {
    state: { ...state, phase, reopenAtMs: undefined, nudgedAtMs: undefined, advancedAtMs: atMs, segmentAtMs: atMs },
    commands: ['open'],
  };
}

const reasons = { network: 'unreachable', codecs: 'undecodable', other: 'stuck' } as const;

function onFatal(state: RecoveryState, cause: FatalCause, atMs: number): Step {
  if (state.sessionId === undefined) return stay(state);
  if (state.phase.kind === 'paused') return stay({ ...state, reopenAtMs: atMs });
  if (cause !== 'media') return reopenLater(state, reasons[cause], atMs);
  const recent = addRecent(state.mediaErrorsAtMs, atMs, mediaErrorWindowMs);
  const next = { ...state, mediaErrorsAtMs: recent };
  if (recent.length === 1) return { state: next, commands: ['recover-media'] };
  if (recent.length === 2) return { state: next, commands: ['swap-audio-and-recover'] };
  return reopenLater({ ...next, mediaErrorsAtMs: [] }, 'undecodable', atMs);
}

function reopenLater(state: RecoveryState, reason: HoldReason, atMs: number): Step {
  return stay({
    ...state,
    phase: hold(state, reason),
    failures: state.failures + 1,
    reopenAtMs: atMs + reopenDelayMs(state.failures),
  });
}

/** The picture has been frozen since the playhead last moved, not since that was noticed. */
function hold(state: RecoveryState, reason: HoldReason): MonitorPhase {
  const sinceMs = state.phase.kind === 'held' ? state.phase.sinceMs : state.advancedAtMs;
  return { kind: 'held', reason, sinceMs };
}

function onTick(state: RecoveryState, tick: Extract<RecoveryEvent, { kind: 'tick' }>): Step {
  const { isRewound, aheadSeconds, hasLighter, atMs } = tick;
  if (state.sessionId === undefined) return stay(state);
  if (mustClose(state, atMs)) return closeForNow(state);
  if (state.phase.kind === 'paused') return stay(state);
  if (state.reopenAtMs !== undefined) return atMs >= state.reopenAtMs ? open(state, atMs) : stay(state);
  const stillMs = atMs - state.advancedAtMs;
  if (hasLighter && state.phase.kind === 'playing' && stillMs >= slowAfterMs && aheadSeconds < ampleAheadSeconds) {
    return open({ ...state, phase: { kind: 'opening' } }, atMs);
  }
  if (stillMs < stuckAfterMs) return stay(state);
  if (atMs - state.segmentAtMs >= silentAfterMs) return onSilence(state, atMs);
  if (aheadSeconds < ampleAheadSeconds) {
    // A lost encoder's last media arrives when its loss is noticed, which may be late. Jumping to live would show the same again.
    if (!state.arrives) return onSilence(state, atMs);
    // The last media has been played: silence begins. Segments that keep coming but never land ahead don't help either.
    if (atMs - Math.max(state.advancedAtMs, state.arrivesSinceMs) < 2 * stuckAfterMs) return stay(state);
  }
  const held = { ...state, phase: hold(state, 'stuck') };
  if (state.nudgedAtMs === undefined) {
    return { state: { ...held, nudgedAtMs: atMs }, commands: [isRewound ? 'skip-ahead' : 'jump-to-live'] };
  }
  if (atMs - state.nudgedAtMs < stuckAfterMs) return stay(held);
  return open({ ...held, failures: state.failures + 1 }, atMs);
}

/** No segment arrives. The player keeps asking for the playlist; if media should arrive, the player is replaced after too long. */
function onSilence(state: RecoveryState, atMs: number): Step {
  const held = { ...state, phase: hold(state, 'no-segment') };
  const sinceMs = Math.max(state.segmentAtMs, state.arrivesSinceMs);
  return !state.arrives || atMs - sinceMs < 5 * silentAfterMs ? stay(held) : open(held, atMs);
}
