import type { StageReport } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { droppedRatio, findOwner, findWorstPlayback, isStill, judgePlayback } from './play-verdict.ts';

/**
 * The worst playback among the open monitors. Its severity is that of the verdict, except that a frozen picture is never good,
 * even while no media arrives and playback isn't at fault.
 */
export function playStage(facts: HealthFacts): StageReport | undefined {
  const watched = facts.air.kind === 'off-air' ? undefined : findWorstPlayback(facts);
  if (watched === undefined) return undefined;
  const { state, holdSeconds, behindSeconds } = watched.report;
  // A closed monitor is no longer watched.
  if (state === 'closed') return undefined;
  const { stalls, stalledSeconds, droppedFrames } = watched.recent;
  return {
    stage: 'play',
    code: 'monitored',
    severity: judgePlayback(watched, facts)?.severity ?? (isStill(watched.report) ? 'warn' : 'good'),
    monitor: findOwner(watched, facts),
    state,
    ...(holdSeconds !== undefined && { holdSeconds }),
    ...(behindSeconds !== undefined && { behindSeconds }),
    recent: { stalls, stalledSeconds, droppedFrames, droppedRatio: droppedRatio(watched.recent) },
  };
}
