import { assertNever } from '../../shared/assert-never.ts';
import type { EndReason } from '../../shared/model/live.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import type { EndCause } from '../streams/end-cause.ts';

/** What a stream is doing. Times are those of `Clock.monotonicMs`. */
export type AirPhase =
  | { kind: 'off-air'; endedAt?: number; reason?: EndReason }
  | { kind: 'connecting'; since: number }
  | { kind: 'on-air'; since: number }
  /**
   * The publisher was lost at `lostAt`. A publisher that has reconnected but has no segment yet keeps the window open.
   * `isKeyRenewed`: it was disconnected because the stream has a new key, and can't reconnect with the old one. `cameBackSilent`:
   * the last publisher that reconnected sent nothing before it was lost again.
   */
  | {
      kind: 'reconnecting';
      since: number;
      lostAt: number;
      until: number;
      isBack: boolean;
      isKeyRenewed: boolean;
      cameBackSilent: boolean;
    };

/** An event that may move a stream from one phase to the next. */
export type AirEvent =
  | { kind: 'tick' }
  /** A publisher was admitted; it replaces one that was there already. */
  | { kind: 'admitted' }
  /** Its publisher has one more segment that plays. */
  | { kind: 'segment' }
  /** Its publisher is gone and has not ended the session: the stream waits for it. `wasSilent`: it sent no media at all. */
  | { kind: 'lost'; lastMediaAt: number | undefined; wasSilent: boolean; windowMs: number; cause: LossCause }
  /** The stream has a new key, and no publisher is connected. */
  | { kind: 'key-renewed' }
  /** The session is over: its publisher, its owner or the service ended it. */
  | { kind: 'ended'; end: EndCause };

/** A change caused by an event. The caller of `stepAir` carries it out. */
export type AirChange =
  /** The first segment plays: a session begins. */
  | { kind: 'began' }
  | { kind: 'returned'; afterMs: number }
  | ({ kind: 'lost' } & Pick<LogEventOf<'encoder-lost'>, 'when' | 'waitMs' | 'cause'>)
  /** `wasLive` if there was a session; `goneMs` is how long its publisher had been gone. */
  | { kind: 'ended'; end: EndCause; wasLive: boolean; goneMs?: number };

/** The next phase, and what changes with it. */
export interface AirStep {
  phase: AirPhase;
  changes: AirChange[];
}

/** Moves a stream by one event. Pure: no clock, nothing but its arguments. */
export function stepAir(phase: AirPhase, event: AirEvent, now: number): AirStep {
  switch (event.kind) {
    case 'admitted':
      return { phase: admit(phase, now), changes: [] };
    case 'segment':
      return addSegment(phase, now);
    case 'lost':
      return lose(phase, event, now);
    case 'ended':
      return end(phase, event.end, now);
    case 'key-renewed':
      return { phase: phase.kind === 'reconnecting' ? { ...phase, isKeyRenewed: true } : phase, changes: [] };
    case 'tick': {
      const isOver = phase.kind === 'reconnecting' && !phase.isBack && now >= phase.until;
      return isOver ? end(phase, { reason: 'ingest-lost' }, now) : { phase, changes: [] };
    }
    default:
      return assertNever(event);
  }
}

function admit(phase: AirPhase, now: number): AirPhase {
  if (phase.kind === 'reconnecting') return { ...phase, isBack: true };
  return phase.kind === 'on-air' ? phase : { kind: 'connecting', since: now };
}

function addSegment(phase: AirPhase, now: number): AirStep {
  if (phase.kind === 'connecting') return { phase: { kind: 'on-air', since: now }, changes: [{ kind: 'began' }] };
  if (phase.kind !== 'reconnecting') return { phase, changes: [] };
  return { phase: { kind: 'on-air', since: phase.since }, changes: [{ kind: 'returned', afterMs: now - phase.lostAt }] };
}

function lose(phase: AirPhase, event: Extract<AirEvent, { kind: 'lost' }>, now: number): AirStep {
  const { lastMediaAt, wasSilent, windowMs, cause } = event;
  const isKeyRenewed = cause.code === 'key-renewed';
  switch (phase.kind) {
    case 'off-air':
      return { phase, changes: [] };
    case 'connecting': {
      const ended = end(phase, { reason: 'ingest-lost' }, now);
      return { ...ended, changes: [{ kind: 'lost', when: 'before-on-air', cause }, ...ended.changes] };
    }
    case 'on-air':
      return {
        phase: {
          kind: 'reconnecting',
          since: phase.since,
          lostAt: lastMediaAt ?? now,
          until: now + windowMs,
          isBack: false,
          isKeyRenewed,
          cameBackSilent: false,
        },
        changes: [{ kind: 'lost', when: 'on-air', waitMs: windowMs, cause }],
      };
    case 'reconnecting':
      return {
        phase: { ...phase, isBack: false, isKeyRenewed, cameBackSilent: wasSilent },
        changes: [{ kind: 'lost', when: 'back', cause }],
      };
    default:
      return assertNever(phase);
  }
}

function end(phase: AirPhase, by: EndCause, now: number): AirStep {
  if (phase.kind === 'off-air') return { phase, changes: [] };
  const goneMs = phase.kind === 'reconnecting' ? now - phase.lostAt : undefined;
  const wasLive = phase.kind !== 'connecting';
  return {
    phase: { kind: 'off-air', endedAt: now, reason: by.reason },
    changes: [{ kind: 'ended', end: by, wasLive, ...(goneMs !== undefined && { goneMs }) }],
  };
}
