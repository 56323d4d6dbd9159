import type { Severity, StageReport, Verdict } from '../../shared/model/live.ts';
import type { HealthFacts } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';

/** A picture that stands still for this long is trouble, in seconds; from `heldBadSeconds` on viewers leave. */
const heldWarnSeconds = 1;
const heldBadSeconds = 2;
/** Frames that are decoded too late to be shown: above this part the picture jerks. */
const droppedWarnRatio = 0.05;

const advice =
  'If viewers see it too, lower the bitrate. If only you see it, close other programs on this computer, or choose a smaller quality in the monitor.';

/** What the open monitors see; of several, the worst of those that play. */
export function playStage({ air, playback }: HealthFacts): StageReport | undefined {
  const watched = air.kind === 'off-air' ? undefined : findWorst(playback);
  return watched && { stage: 'play', severity: judge(watched), summary: summarize(watched) };
}

/** A monitor that stands still, or did in the last minute. One that is paused or has only just opened says nothing. */
export function playVerdict({ playback }: HealthFacts): Verdict | undefined {
  const watched = findWorst(playback.filter(({ isSettled }) => isSettled));
  if (watched === undefined) return undefined;
  const { report, recent } = watched;
  if (report.state === 'failed') {
    const sentence = `It cannot play the stream, so you do not see what viewers see. Press Play to try again. ${advice}`;
    return { code: 'play-failed', severity: 'bad', title: 'Your monitor does not play', sentence };
  }
  if (isHeld(watched)) {
    const held = report.holdSeconds === undefined ? 'now' : `for ${formatSeconds(report.holdSeconds)}`;
    const severity = (report.holdSeconds ?? 0) >= heldBadSeconds ? 'bad' : 'warn';
    return { code: 'play-stalls', severity, title: stallTitle, sentence: `Its picture has stood still ${held}. ${advice}` };
  }
  if (report.state === 'paused' || !isStalling(watched)) return undefined;
  // A stall that began before this minute adds seconds and no count.
  const times = formatTimes(Math.max(recent.stalls, 1));
  const sentence = `Your monitor stalled ${times} in the last minute, ${formatSeconds(recent.stalledSeconds)} in all. ${advice}`;
  return { code: 'play-stalls', severity: 'warn', title: stallTitle, sentence };
}

const stallTitle = 'Your monitor stalls';

function findWorst(playback: readonly WatchedPlayback[]): WatchedPlayback | undefined {
  return playback.toSorted((one, other) => rank(other) - rank(one) || heldSeconds(other) - heldSeconds(one))[0];
}

function rank(watched: WatchedPlayback): number {
  if (watched.report.state === 'paused') return 0;
  if (watched.report.state === 'failed') return 4;
  if (isHeld(watched)) return 3;
  return isStalling(watched) ? 2 : 1;
}

const heldSeconds = ({ report, recent }: WatchedPlayback) => (report.holdSeconds ?? 0) + recent.stalledSeconds;

function isHeld({ report }: WatchedPlayback): boolean {
  const isStill = report.state === 'stalled' || report.state === 'waiting';
  return isStill && (report.holdSeconds ?? heldWarnSeconds) >= heldWarnSeconds;
}

/** A single hiccup that few would notice is no trouble. */
function isStalling({ recent }: WatchedPlayback): boolean {
  return recent.stalls >= 2 || recent.stalledSeconds >= heldWarnSeconds;
}

function judge(watched: WatchedPlayback): Severity {
  const { report, recent, isSettled } = watched;
  if (!isSettled || report.state === 'paused') return 'good';
  if (report.state === 'failed') return 'bad';
  if (isHeld(watched)) return (report.holdSeconds ?? 0) >= heldBadSeconds ? 'bad' : 'warn';
  return isStalling(watched) || recent.droppedFrames > recent.decodedFrames * droppedWarnRatio ? 'warn' : 'good';
}

function summarize({ report, recent }: WatchedPlayback): string {
  if (report.state === 'paused') return 'paused';
  if (report.state === 'failed') return 'failed';
  const held = report.holdSeconds === undefined ? '' : ` for ${formatSeconds(report.holdSeconds)}`;
  const now = report.state === 'playing' ? 'playing' : `${report.state === 'waiting' ? 'waiting' : 'stands still'}${held}`;
  return [
    now,
    ...(report.state === 'playing' && report.behindSeconds !== undefined
      ? [`${formatSeconds(report.behindSeconds)} behind`]
      : []),
    ...(recent.stalls > 0 ? [`stalled ${formatTimes(recent.stalls)}, ${formatSeconds(recent.stalledSeconds)}`] : []),
    ...(recent.droppedFrames > 0 ? [`${recent.droppedFrames} frames dropped`] : []),
  ].join(' · ');
}

function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

function formatTimes(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
