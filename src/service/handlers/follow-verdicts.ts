import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import { drawVerdict, findTroubles } from '../health/verdict.ts';
import { lastedMs } from '../health/verdict-lasted.ts';
import { VerdictLog, verdictToLog } from '../health/verdict-log.ts';
import type { Clock } from '../ports.ts';
import type { LiveStream } from '../session/live-stream.ts';
import type { StreamViews } from './stream-views.ts';

/** Returns a function that logs the verdicts on a stream, whether or not a page watches. Call it with every stream about once a second. */
export function createVerdictFollower(
  views: Pick<StreamViews, 'facts' | 'isElsewhere'>,
  clock: Pick<Clock, 'monotonicMs'>,
): (live: Pick<LiveStream, 'streamId' | 'sessionId' | 'note'>) => void {
  const logs = new WeakMap<object, VerdictLog>();
  return (live) => {
    const note = (severity: Severity, event: LogEvent, atMs: number) => live.note(severity, event, clock.monotonicMs() - atMs);
    const log = logs.get(live) ?? new VerdictLog(note);
    logs.set(live, log);
    const isJudged = live.sessionId !== undefined || views.isElsewhere(live.streamId);
    const facts = isJudged ? views.facts(live.streamId) : undefined;
    const nowMs = clock.monotonicMs();
    if (facts === undefined) return log.feed(undefined, [], nowMs);
    const verdict = verdictToLog(drawVerdict(facts), facts.air);
    log.feed(verdict, findTroubles(facts), nowMs, nowMs - (verdict === undefined ? 0 : lastedMs(verdict, facts)));
  };
}
