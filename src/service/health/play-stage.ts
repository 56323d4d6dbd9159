import type { StageReport } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';
import { droppedRatio, findOwner, findWorstPlayback, judgePlayback } from './play-verdict.ts';

/** What the open monitors see; of several, the worst of those that play. It is as bad as the verdict on it. */
export function playStage(facts: HealthFacts): StageReport | undefined {
  const watched = facts.air.kind === 'off-air' ? undefined : findWorstPlayback(facts);
  if (watched === undefined) return undefined;
  const { state, holdSeconds, behindSeconds } = watched.report;
  // One that has closed is not watched any more.
  if (state === 'closed') return undefined;
  const { stalls, stalledSeconds, droppedFrames } = watched.recent;
  return {
    stage: 'play',
    code: 'monitored',
    severity: judgePlayback(watched, facts)?.severity ?? 'good',
    monitor: findOwner(watched, facts),
    state,
    ...(holdSeconds !== undefined && { holdSeconds }),
    ...(behindSeconds !== undefined && { behindSeconds }),
    recent: { stalls, stalledSeconds, droppedFrames, droppedRatio: droppedRatio(watched.recent) },
  };
}
