import type { Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import { drawVerdict, findTroubles, lastedMs } from '../health/verdict.ts';
import { VerdictLog } from '../health/verdict-log.ts';
import type { Clock } from '../ports.ts';
import { CourseElsewhere } from '../regions/course-elsewhere.ts';
import type { LiveStream } from '../session/live-stream.ts';
import type { StreamViews } from './stream-views.ts';

/** Returns a function that logs the verdicts on a stream, whether or not a page watches. Call it with every stream about once a second. */
export function createVerdictFollower(
  views: Pick<StreamViews, 'facts' | 'isElsewhere'>,
  clock: Pick<Clock, 'monotonicMs'>,
): (live: Pick<LiveStream, 'streamId' | 'sessionId' | 'note'>) => void {
  const logs = new WeakMap<object, { log: VerdictLog; course: CourseElsewhere }>();
  return (live) => {
    const note = (severity: Severity, event: LogEvent, atMs: number) => live.note(severity, event, clock.monotonicMs() - atMs);
    const { log, course } = logs.get(live) ?? {
      log: new VerdictLog(note),
      course: new CourseElsewhere((event) => live.note('good', event)),
    };
    logs.set(live, { log, course });
    const isElsewhere = views.isElsewhere(live.streamId);
    const isJudged = live.sessionId !== undefined || isElsewhere;
    const facts = isJudged || course.isOpen ? views.facts(live.streamId) : undefined;
    const nowMs = clock.monotonicMs();
    if (facts && (isElsewhere || course.isOpen)) course.follow(isElsewhere ? facts.air : undefined, facts.oneClick, nowMs);
    if (!isJudged || facts === undefined) return log.feed(undefined, [], nowMs);
    const verdict = drawVerdict(facts);
    log.feed(verdict, findTroubles(facts), nowMs, nowMs - (verdict === undefined ? 0 : lastedMs(verdict, facts)));
  };
}
