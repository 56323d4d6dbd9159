import type { PlaybackReport } from '../../shared/model/live.ts';
import type { StageReport } from '../../shared/model/verdict.ts';
import { heldWarnSeconds } from '../../shared/stalls.ts';
import type { HealthFacts } from './health-facts.ts';
import { settleMs } from './play-reports.ts';
import { droppedRatio, findOwner, findWorstPlayback, judgePlayback } from './play-verdict.ts';

/**
 * The worst of what the open monitors report. Its severity is that of the verdict, except that a frozen picture is never good, even
 * while no media arrives and playback isn't at fault.
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

/** Whether it shows no moving picture, though it has had time to. */
function isStill({ state, holdSeconds = 0 }: PlaybackReport): boolean {
  if (state === 'waiting') return holdSeconds * 1000 >= settleMs;
  return state === 'failed' || (state === 'stalled' && holdSeconds >= heldWarnSeconds);
}
