import { assertNever } from '../../shared/assert-never.ts';
import type { AirState, EndReason } from '../../shared/model/live.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import type { PublisherFeed } from './publisher-feed.ts';

/** What a stream may do while it lives; times are those of `Clock.monotonicMs`. `feed` of `reconnecting` is a publisher that is back but has no segment yet. */
export type AirPhase =
  | { kind: 'off-air'; endedAt?: number; reason?: EndReason }
  | { kind: 'connecting'; since: number; feed: PublisherFeed }
  | { kind: 'on-air'; since: number; sessionId: string; feed: PublisherFeed }
  | { kind: 'reconnecting'; since: number; sessionId: string; lostAt: number; until: number; feed?: PublisherFeed };

/**
 * The phase as the screens are told it.
 *
 * @param lastMediaAt when media last arrived, and `now`, both as `Clock.monotonicMs` tells them
 */
export function describeAir(
  phase: AirPhase,
  { lastMediaAt, now }: { lastMediaAt: number | undefined; now: number },
  timeOfDay: (atMs: number) => number,
): AirState {
  switch (phase.kind) {
    case 'off-air': {
      const { kind, endedAt, reason } = phase;
      return { kind, ...(endedAt !== undefined && { endedAt: timeOfDay(endedAt) }), ...(reason && { reason }) };
    }
    case 'connecting':
      return {
        kind: 'connecting',
        since: timeOfDay(phase.since),
        ...(phase.feed.isAwaitingKeyframe && { awaiting: 'keyframe' }),
      };
    case 'on-air':
      return {
        kind: 'on-air',
        since: timeOfDay(phase.since),
        sessionId: phase.sessionId,
        ...(lastMediaAt !== undefined && signalEndsInMs({ lastMediaAt }, now) < 0 && { silentSince: timeOfDay(lastMediaAt) }),
      };
    case 'reconnecting': {
      const { kind, since, sessionId, lostAt, until, feed } = phase;
      const next =
        feed === undefined
          ? { until: timeOfDay(until) }
          : { back: signalEndsInMs(feed, now) < 0 ? ('connected' as const) : ('sending' as const) };
      return { kind, sessionId, since: timeOfDay(since), lostAt: timeOfDay(lostAt), ...next };
    }
    default:
      return assertNever(phase);
  }
}

/** In how many milliseconds a publisher counts as silent, unless it sends; negative when it does. */
export function signalEndsInMs(
  { lastMediaAt = Number.NEGATIVE_INFINITY }: Pick<PublisherFeed, 'lastMediaAt'>,
  now: number,
): number {
  return lastMediaAt + lastSeenBadMs - now;
}

/**
 * The phase after the encoder was lost, with when that was and for how long it is waited for; without a phase that was its end.
 * Undefined off air, where there is none to lose.
 */
export function loseEncoder(
  phase: AirPhase,
  { now, windowMs }: { now: number; windowMs: number },
): ({ phase?: AirPhase } & Pick<LogEventOf<'encoder-lost'>, 'when' | 'waitMs'>) | undefined {
  switch (phase.kind) {
    case 'off-air':
      return undefined;
    case 'connecting':
      return { when: 'before-on-air' };
    case 'on-air': {
      const { since, sessionId, feed } = phase;
      return {
        phase: { kind: 'reconnecting', since, sessionId, lostAt: feed.lastMediaAt ?? now, until: now + windowMs },
        when: 'on-air',
        waitMs: windowMs,
      };
    }
    case 'reconnecting': {
      const { feed: _, ...waiting } = phase;
      return { phase: waiting, when: 'back' };
    }
    default:
      return assertNever(phase);
  }
}
