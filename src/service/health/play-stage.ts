import type { StageReport } from '../../shared/model/live.ts';
import type { HealthFacts } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';
import {
  droppedRatio,
  findWorstPlayback,
  formatPercent,
  formatSeconds,
  formatTimes,
  judgePlayback,
  ownerWords,
} from './play-verdict.ts';

/** What the open monitors see; of several, the worst of those that play. It is as bad as the verdict on it. */
export function playStage(facts: HealthFacts): StageReport | undefined {
  const watched = facts.air.kind === 'off-air' ? undefined : findWorstPlayback(facts);
  if (watched === undefined) return undefined;
  const severity = judgePlayback(watched, facts)?.severity ?? 'good';
  return { stage: 'play', severity, summary: `${ownerWords(watched, facts).prefix}${summarize(watched)}` };
}

function summarize({ report, recent }: WatchedPlayback): string {
  if (report.state === 'paused') return 'paused';
  if (report.state === 'failed') return 'failed';
  const held = report.holdSeconds === undefined ? '' : ` for ${formatSeconds(report.holdSeconds)}`;
  const now = report.state === 'playing' ? 'playing' : `${report.state === 'waiting' ? 'waiting' : 'frozen'}${held}`;
  return [
    now,
    ...(report.state === 'playing' && report.behindSeconds !== undefined
      ? [`${formatSeconds(report.behindSeconds)} behind`]
      : []),
    ...(recent.stalls > 0 ? [`stalled ${formatTimes(recent.stalls)}, ${formatSeconds(recent.stalledSeconds)}`] : []),
    ...(recent.droppedFrames > 0 ? [summarizeDrops(recent)] : []),
  ].join(' · ');
}

function summarizeDrops(recent: WatchedPlayback['recent']): string {
  const ratio = droppedRatio(recent);
  return `${recent.droppedFrames} frames dropped${ratio >= 0.01 ? ` (${formatPercent(ratio)})` : ''}`;
}
