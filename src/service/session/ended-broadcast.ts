import type { EndedBroadcast } from '../../shared/model/live.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import { isLoss } from '../streams/end-cause.ts';
import type { SessionEnd } from '../streams/session-ends.ts';

/** An ended session as screens get it, with the severity of its end. Times are epoch milliseconds. */
export function endedBroadcast(end: SessionEnd): EndedBroadcast {
  const { sessionId, startedAt, at, lastedMs, goneMs, reason, by, failure } = end;
  const wasGone = goneMs > lastSeenBadMs;
  return {
    sessionId,
    startedAt,
    endedAt: at,
    onAirMs: wasGone ? Math.max(0, lastedMs - goneMs) : lastedMs,
    ...(wasGone && { goneMs }),
    reason,
    severity: isLoss(reason) ? 'bad' : 'good',
    ...(by !== undefined && { by }),
    ...(failure !== undefined && { failure }),
  };
}
