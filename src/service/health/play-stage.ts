import type { Severity, StageReport, Verdict } from '../../shared/model/live.ts';
import { areTrouble, heldWarnSeconds } from '../../shared/stalls.ts';
import { type HealthFacts, smallestQuality } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';

/** A picture that stands still for this long, in seconds: viewers leave. */
const heldBadSeconds = 2;
/** Frames that are decoded too late to be shown: above this part the picture jerks. */
const droppedWarnRatio = 0.05;

/** What the open monitors see; of several, the worst of those that play. */
export function playStage(facts: HealthFacts): StageReport | undefined {
  const watched = facts.air.kind === 'off-air' ? undefined : findWorst(facts.playback, facts.pageId);
  return (
    watched && { stage: 'play', severity: judge(watched), summary: `${ownerWords(watched, facts).prefix}${summarize(watched)}` }
  );
}

/** A monitor that stands still, or did in the last minute. One that is paused or has only just opened says nothing. */
export function playVerdict(facts: HealthFacts): Verdict | undefined {
  const watched = findWorst(
    facts.playback.filter(({ isSettled }) => isSettled),
    facts.pageId,
  );
  if (watched === undefined) return undefined;
  const { report, recent } = watched;
  const { owner, isOwn } = ownerWords(watched, facts);
  const advice = advise(facts, isOwn);
  if (report.state === 'failed') {
    const unseen = isOwn ? ', so you do not see what viewers see. Press Play to try again' : '';
    const sentence = `It cannot play the stream${unseen}. ${advice}`;
    return { code: 'play-failed', severity: 'bad', title: `${owner} does not play`, sentence };
  }
  const stalls = { code: 'play-stalls', title: `${owner} stalls` } as const;
  if (isHeld(watched)) {
    const severity = (report.holdSeconds ?? 0) >= heldBadSeconds ? 'bad' : 'warn';
    // For how long is said by the stage.
    const held = report.state === 'waiting' ? 'No picture has come to it.' : 'Its picture stands still.';
    return { ...stalls, severity, sentence: `${held} ${advice}` };
  }
  if (report.state === 'paused' || !areTrouble(recent)) return undefined;
  // A stall that began before this minute adds seconds and no count.
  const times = formatTimes(Math.max(recent.stalls, 1));
  const sentence = `It stalled ${times} in the last minute, ${formatSeconds(recent.stalledSeconds)} in all. ${advice}`;
  return { ...stalls, severity: 'warn', sentence };
}

/** Whose monitor it is, to who asks: what is true of another page is not said of this one. */
function ownerWords({ pageId }: WatchedPlayback, { pageId: asking }: HealthFacts) {
  if (pageId === asking) return { isOwn: true, owner: 'Your monitor', prefix: '' };
  return asking === undefined
    ? { isOwn: false, owner: 'A monitor', prefix: 'a page ' }
    : { isOwn: false, owner: 'A monitor on another page', prefix: 'another page ' };
}

function advise({ oneClick }: HealthFacts, isOwn: boolean): string {
  const all =
    oneClick.kind !== 'running'
      ? 'lower the bitrate: in OBS, Settings → Output → Bitrate'
      : oneClick.quality === smallestQuality
        ? "look at this computer's network"
        : 'choose a smaller picture';
  const one = isOwn
    ? 'If only you see it, close other programs on this computer, or choose a smaller quality in the monitor.'
    : 'If only that page sees it, look at its computer and its network.';
  return `If viewers see it too, ${all}. ${one}`;
}

/** Of monitors that are equally bad, the one of the page that asks. */
function findWorst(playback: readonly WatchedPlayback[], asking: string | undefined): WatchedPlayback | undefined {
  const isOwn = ({ pageId }: WatchedPlayback) => Number(pageId === asking);
  return playback.toSorted(
    (one, other) => rank(other) - rank(one) || isOwn(other) - isOwn(one) || heldSeconds(other) - heldSeconds(one),
  )[0];
}

function rank(watched: WatchedPlayback): number {
  if (watched.report.state === 'paused') return 0;
  if (watched.report.state === 'failed') return 4;
  if (isHeld(watched)) return 3;
  return areTrouble(watched.recent) ? 2 : 1;
}

const heldSeconds = ({ report, recent }: WatchedPlayback) => (report.holdSeconds ?? 0) + recent.stalledSeconds;

function isHeld({ report }: WatchedPlayback): boolean {
  const isStill = report.state === 'stalled' || report.state === 'waiting';
  return isStill && (report.holdSeconds ?? heldWarnSeconds) >= heldWarnSeconds;
}

function judge(watched: WatchedPlayback): Severity {
  const { report, recent, isSettled } = watched;
  if (!isSettled || report.state === 'paused') return 'good';
  if (report.state === 'failed') return 'bad';
  if (isHeld(watched)) return (report.holdSeconds ?? 0) >= heldBadSeconds ? 'bad' : 'warn';
  return areTrouble(recent) || recent.droppedFrames > recent.decodedFrames * droppedWarnRatio ? 'warn' : 'good';
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
