import type { EndedBroadcast } from '../../shared/model/live.ts';
import { describeEnd } from '../../shared/words/end-words.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import { isLoss } from '../streams/broadcast-end.ts';
import type { SessionEnd } from '../streams/session-ends.ts';

/** A broadcast that has ended, with how bad that is and why in a sentence. Times are epoch milliseconds. */
export function endedBroadcast({ sessionId, startedAt, at, lastSeen, reason, by }: SessionEnd): EndedBroadcast {
  const goneMs = at - lastSeen;
  const wasGone = goneMs > lastSeenBadMs;
  return {
    ...{ sessionId, startedAt, endedAt: at, reason },
    ...(wasGone && { lostAt: lastSeen }),
    severity: isLoss(reason) ? 'bad' : 'good',
    sentence: describeEnd({ reason, by, goneMs: wasGone ? goneMs : undefined }),
  };
}
