import { assertNever } from '../../shared/assert-never.ts';
import type { AirState, Unplayable } from '../../shared/model/live.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import type { AirPhase } from './air-machine.ts';

/** The facts besides the phase that the air state depends on; times are those of `Clock.monotonicMs`. */
export interface AirFacts {
  now: number;
  /** When media last arrived. */
  lastMediaAt: number | undefined;
  /** The connected publisher, if there is one. */
  publisher:
    | {
        /** When its media last arrived; until then, when it connected. */
        quietSince: number;
        /** When its media last arrived; undefined if none has. */
        lastMediaAt: number | undefined;
        /** Media has arrived, but the keyframe that a first segment needs is still to come. */
        isAwaitingKeyframe: boolean;
        /** Since when its media can't be played, and why. */
        unplayable: { sinceMs: number; why: Unplayable } | undefined;
      }
    | undefined;
  /** Of the running session. */
  sessionId: string | undefined;
}

/** The phase as screens get it, with times of day. */
export function formatAirState(phase: AirPhase, facts: AirFacts, timeOfDay: (atMs: number) => number): AirState {
  const { now, publisher, sessionId = '' } = facts;
  const isSending = publisher !== undefined && signalEndsInMs(publisher.quietSince, now) >= 0;
  switch (phase.kind) {
    case 'off-air': {
      const { kind, endedAt, reason } = phase;
      return { kind, ...(endedAt !== undefined && { endedAt: timeOfDay(endedAt) }), ...(reason && { reason }) };
    }
    case 'connecting':
      return {
        kind: 'connecting',
        since: timeOfDay(phase.since),
        ...(isSending && publisher.isAwaitingKeyframe && { awaiting: 'keyframe' }),
      };
    case 'on-air':
      return {
        kind: 'on-air',
        since: timeOfDay(phase.since),
        sessionId,
        ...describeSilence(facts, timeOfDay),
      };
    case 'reconnecting': {
      const { kind, since, lostAt, until, isKeyRenewed } = phase;
      const next =
        publisher === undefined
          ? { until: timeOfDay(until), ...(isKeyRenewed && { isKeyRenewed }) }
          : describeReturn(phase, publisher, now);
      return { kind, sessionId, since: timeOfDay(since), lostAt: timeOfDay(lostAt), ...next };
    }
    default:
      return assertNever(phase);
  }
}

/** For a stream on air: since when there has been nothing new to play. */
function describeSilence(
  { now, lastMediaAt, publisher }: AirFacts,
  timeOfDay: (atMs: number) => number,
): Pick<Extract<AirState, { kind: 'on-air' }>, 'silentSince' | 'unplayable'> {
  if (lastMediaAt === undefined) return {};
  const { unplayable } = publisher ?? {};
  const silentSince = timeOfDay(unplayable?.sinceMs ?? lastMediaAt);
  if (signalEndsInMs(lastMediaAt, now) < 0) return { silentSince };
  return unplayable === undefined ? {} : { silentSince, unplayable: unplayable.why };
}

/** What a publisher is doing that has reconnected but isn't on air yet. */
function describeReturn(
  { cameBackSilent }: Extract<AirPhase, { kind: 'reconnecting' }>,
  { quietSince, lastMediaAt, unplayable }: NonNullable<AirFacts['publisher']>,
  now: number,
): Pick<Extract<AirState, { kind: 'reconnecting' }>, 'back' | 'unplayable'> {
  // Assume that it is about to send, unless the one before it sent nothing.
  const isSilent = cameBackSilent && lastMediaAt === undefined;
  if (isSilent || signalEndsInMs(quietSince, now) < 0) return { back: 'connected' };
  return { back: 'sending', ...(unplayable && { unplayable: unplayable.why }) };
}

/** In how many milliseconds a publisher counts as silent if it sends nothing; negative if it already does. */
export function signalEndsInMs(lastMediaAt: number | undefined, now: number): number {
  return (lastMediaAt ?? Number.NEGATIVE_INFINITY) + lastSeenBadMs - now;
}
