import type { EndedBroadcast } from '../../shared/model/live.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import { isLoss } from '../streams/broadcast-end.ts';
import type { SessionEnd } from '../streams/session-ends.ts';

/** A broadcast that has ended, with how bad that is. Times are epoch milliseconds. */
export function endedBroadcast({ sessionId, startedAt, at, lastSeen, reason, by, failure }: SessionEnd): EndedBroadcast {
  const wasGone = at - lastSeen > lastSeenBadMs;
  return {
    sessionId,
    startedAt,
    endedAt: at,
    reason,
    ...(wasGone && { lostAt: lastSeen }),
    severity: isLoss(reason) ? 'bad' : 'good',
    ...(by !== undefined && { by }),
    ...(failure !== undefined && { failure }),
  };
}
