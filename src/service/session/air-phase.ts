import { assertNever } from '../../shared/assert-never.ts';
import type { AirState, EndReason } from '../../shared/model/live.ts';
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
        ...(lastMediaAt !== undefined && now - lastMediaAt > lastSeenBadMs && { silentSince: timeOfDay(lastMediaAt) }),
      };
    case 'reconnecting': {
      const { kind, since, sessionId, lostAt, until, feed } = phase;
      const next = feed === undefined ? { until: timeOfDay(until) } : { back: describeBack(feed, now) };
      return { kind, sessionId, since: timeOfDay(since), lostAt: timeOfDay(lostAt), ...next };
    }
    default:
      return assertNever(phase);
  }
}

/** That an encoder has connected does not mean that it sends. */
function describeBack({ lastMediaAt }: PublisherFeed, now: number): 'connected' | 'sending' {
  return lastMediaAt !== undefined && now - lastMediaAt <= lastSeenBadMs ? 'sending' : 'connected';
}
