import { assertNever } from '../../shared/assert-never.ts';
import type { AirState } from '../../shared/model/live.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import type { AirPhase } from './air-machine.ts';

/** What else the air state depends on; times are those of `Clock.monotonicMs`. */
export interface AirFacts {
  now: number;
  /** When media last arrived. */
  lastMediaAt: number | undefined;
  /** The connected publisher, if there is one: when its media last arrived, or it connected, and whether its first keyframe is still to come. */
  publisher: { quietSince: number; isAwaitingKeyframe: boolean } | undefined;
  /** Of the running session. */
  sessionId: string | undefined;
}

/** The phase as the screens get it: its times are times of day. */
export function describeAir(phase: AirPhase, facts: AirFacts, timeOfDay: (atMs: number) => number): AirState {
  const { now, lastMediaAt, publisher, sessionId = '' } = facts;
  switch (phase.kind) {
    case 'off-air': {
      const { kind, endedAt, reason } = phase;
      return { kind, ...(endedAt !== undefined && { endedAt: timeOfDay(endedAt) }), ...(reason && { reason }) };
    }
    case 'connecting':
      return {
        kind: 'connecting',
        since: timeOfDay(phase.since),
        ...(publisher?.isAwaitingKeyframe && { awaiting: 'keyframe' }),
      };
    case 'on-air':
      return {
        kind: 'on-air',
        since: timeOfDay(phase.since),
        sessionId,
        ...(lastMediaAt !== undefined && signalEndsInMs(lastMediaAt, now) < 0 && { silentSince: timeOfDay(lastMediaAt) }),
      };
    case 'reconnecting': {
      const { kind, since, lostAt, until, isKeyRenewed } = phase;
      const next =
        publisher === undefined
          ? { until: timeOfDay(until), ...(isKeyRenewed && { isKeyRenewed }) }
          : {
              back: signalEndsInMs(publisher.quietSince, now) < 0 ? ('connected' as const) : ('sending' as const),
            };
      return { kind, sessionId, since: timeOfDay(since), lostAt: timeOfDay(lostAt), ...next };
    }
    default:
      return assertNever(phase);
  }
}

/** In how many milliseconds a publisher counts as silent if it sends nothing; negative if it already does. */
export function signalEndsInMs(lastMediaAt: number | undefined, now: number): number {
  return (lastMediaAt ?? Number.NEGATIVE_INFINITY) + lastSeenBadMs - now;
}
