import type { PlaybackReport } from '../../shared/model/live.ts';
import type { ForEveryone, MonitorOwner, Verdict, VerdictOf } from '../../shared/model/verdict.ts';
import { areTrouble, heldWarnSeconds } from '../../shared/stalls.ts';
import { seenMs } from './arrival-pauses.ts';
import { canShrink, type HealthFacts } from './health-facts.ts';
import { pickWorst } from './pick-worst.ts';
import { settleMs, type WatchedPlayback } from './play-reports.ts';

/** Viewers leave when the video freezes for this long, in seconds. */
const heldBadSeconds = 2;
/**
 * Shares of frames that are dropped because they were decoded too late: above the first, video stutters; above the second, it is
 * unwatchable.
 */
const droppedWarnRatio = 0.05;
const droppedBadRatio = 0.25;
/** With fewer frames than this, five seconds' worth, the share says nothing. */
const minFrames = 150;
/**
 * A player that falls behind its position by this many seconds doesn't keep up. Without low latency, its position is three
 * segments behind.
 */
const behindWarnSeconds = 3;
const behindBadSeconds = 10;

/** The verdict on the worst playback among the open monitors. */
export function playVerdict(facts: HealthFacts): Verdict | undefined {
  const worst = findWorstPlayback(facts);
  return worst && judgePlayback(worst, facts);
}

/**
 * Whether media arrives again but the monitor of the page that asks shows nothing new yet: too early for a trouble, but not all
 * is good.
 */
export function resumingVerdict({ playback, pageId, now, lastMediaAt }: HealthFacts): VerdictOf<'play-resumes'> | undefined {
  const isStillHere = playback.some(({ report, ...watched }) => watched.pageId === pageId && isStill(report));
  const isArriving = lastMediaAt !== undefined && now - lastMediaAt <= seenMs;
  return isStillHere && isArriving ? { code: 'play-resumes', severity: 'warn' } : undefined;
}

/** Whether a monitor shows no moving picture, though it has had time to. */
export function isStill({ state, holdSeconds = 0 }: PlaybackReport): boolean {
  if (state === 'waiting') return holdSeconds * 1000 >= settleMs;
  return state === 'failed' || (state === 'stalled' && holdSeconds >= heldWarnSeconds);
}

/** The monitor with the worst playback. Among equals, one that plays, preferably on the page that asks. */
export function findWorstPlayback(facts: HealthFacts): WatchedPlayback | undefined {
  const ranks = (watched: WatchedPlayback) => [
    severityRank[judgePlayback(watched, facts)?.severity ?? 'good'],
    Number(watched.report.state !== 'paused'),
    Number(watched.pageId === facts.pageId),
    (watched.report.holdSeconds ?? 0) + watched.recent.stalledSeconds,
  ];
  return facts.playback
    .map((watched) => ({ watched, ranks: ranks(watched) }))
    .toSorted((one, other) => compareRanks(other.ranks, one.ranks))[0]?.watched;
}

const severityRank = { good: 0, warn: 1, bad: 2 };

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((rank, index) => rank !== other[index]);
  return at === -1 ? 0 : (one[at] as number) - (other[at] as number);
}

/** The verdict on one monitor's playback; none if it is paused or has only just opened. */
export function judgePlayback(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  if (watched.report.state === 'paused') return undefined;
  const { isStarted, isSettled } = watched;
  // Elsewhere, players take longer to start.
  const mayHavePicture = isSettled || (isStarted && facts.typicalSegmentSeconds !== undefined);
  const judges = [
    ...(isStarted ? [failure] : []),
    ...(mayHavePicture ? [noPicture] : []),
    ...(isSettled ? [freeze, stalls, drops, distance] : []),
  ];
  return pickWorst(judges.map((judge) => judge(watched, facts)));
}

/** Who owns the monitor, relative to the page that asks. */
export function findOwner({ pageId }: WatchedPlayback, { pageId: asking }: HealthFacts): MonitorOwner {
  if (pageId === asking) return 'own';
  return asking === undefined ? 'any-page' : 'other-page';
}

function failure(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  if (watched.report.state !== 'failed') return undefined;
  const monitor = findOwner(watched, facts);
  // The player can't decode the media. One click sends codecs that every player decodes.
  const forEveryone = facts.oneClick.kind === 'running' ? adviseEveryone(facts) : 'usual-codecs';
  return { code: 'play-failed', severity: 'bad', monitor, forEveryone };
}

function noPicture(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  return watched.report.state === 'waiting' ? judgeHold(watched, facts, 'no-picture') : undefined;
}

function freeze(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  return watched.report.state === 'stalled' ? judgeHold(watched, facts, 'frozen') : undefined;
}

function judgeHold(watched: WatchedPlayback, facts: HealthFacts, kind: 'no-picture' | 'frozen'): Verdict | undefined {
  const { holdSeconds = heldWarnSeconds } = watched.report;
  if (holdSeconds < heldWarnSeconds) return undefined;
  return {
    code: 'play-stalls',
    severity: holdSeconds >= heldBadSeconds ? 'bad' : 'warn',
    monitor: findOwner(watched, facts),
    stall: { kind },
    forEveryone: adviseEveryone(facts),
  };
}

function stalls(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { recent } = watched;
  if (!areTrouble(recent)) return undefined;
  return {
    code: 'play-stalls',
    severity: 'warn',
    monitor: findOwner(watched, facts),
    // A stall that began before this minute adds seconds but no count.
    stall: { kind: 'repeated', count: Math.max(recent.stalls, 1), seconds: recent.stalledSeconds },
    forEveryone: adviseEveryone(facts),
  };
}

function drops(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { recent } = watched;
  const ratio = droppedRatio(recent);
  if (recent.decodedFrames < minFrames || ratio <= droppedWarnRatio) return undefined;
  const severity = ratio >= droppedBadRatio ? 'bad' : 'warn';
  return { code: 'play-drops', severity, monitor: findOwner(watched, facts), ratio };
}

function distance(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { state, behindSeconds = 0, lateSeconds = 0 } = watched.report;
  // If another computer packages the stream, only the player knows its position.
  const farSeconds = facts.typicalSegmentSeconds === undefined ? lateSeconds : behindSeconds - 3 * facts.typicalSegmentSeconds;
  if (state !== 'playing' || farSeconds <= behindWarnSeconds) return undefined;
  const severity = farSeconds >= behindBadSeconds ? 'bad' : 'warn';
  return { code: 'play-behind', severity, monitor: findOwner(watched, facts), forEveryone: adviseEveryone(facts) };
}

function adviseEveryone({ oneClick }: HealthFacts): ForEveryone {
  if (oneClick.kind !== 'running') return 'lower-bitrate';
  return canShrink(oneClick) ? 'smaller-picture' : 'check-network';
}

/** The share of dropped frames among those that should have been shown. */
export function droppedRatio({ droppedFrames, decodedFrames }: WatchedPlayback['recent']): number {
  return decodedFrames === 0 ? 0 : droppedFrames / decodedFrames;
}
