import type { Verdict } from '../../shared/model/live.ts';
import { areTrouble, heldWarnSeconds } from '../../shared/stalls.ts';
import { type HealthFacts, smallestQuality } from './health-facts.ts';
import type { WatchedPlayback } from './play-reports.ts';

/** A picture that stands still for this long, in seconds: viewers leave. */
const heldBadSeconds = 2;
/** Frames that are decoded too late to be shown: above this part the picture jerks, from `droppedBadRatio` on it is no motion any more. */
const droppedWarnRatio = 0.05;
const droppedBadRatio = 0.25;
/** A share of fewer frames says nothing: five seconds of them. */
const minFrames = 150;
/** A player without low latency is three segments behind: farther by this much, in seconds, and it does not keep up. */
const behindWarnSeconds = 3;
const behindBadSeconds = 10;
const usualSegmentSeconds = 2;

/** What is wrong with the picture of the open monitors: of several, the worst. */
export function playVerdict(facts: HealthFacts): Verdict | undefined {
  const worst = findWorstPlayback(facts);
  return worst && judgePlayback(worst, facts);
}

/** The monitor that has most to complain of; of those that are equally bad, one that plays, and rather that of the page that asks. */
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

/** What is wrong with one monitor's picture. One that is paused or has only just opened says nothing. */
export function judgePlayback(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  if (!watched.isSettled || watched.report.state === 'paused') return undefined;
  const troubles = [failure, hold, stalls, drops, distance]
    .map((judge) => judge(watched, facts))
    .filter((verdict) => verdict !== undefined);
  return troubles.find(({ severity }) => severity === 'bad') ?? troubles[0];
}

/** Whose monitor it is, to who asks: what is true of another page is not said of this one. */
export function ownerWords({ pageId }: WatchedPlayback, { pageId: asking }: HealthFacts) {
  if (pageId === asking) return { isOwn: true, owner: 'Your monitor', prefix: '' };
  return asking === undefined
    ? { isOwn: false, owner: 'A monitor', prefix: 'a page ' }
    : { isOwn: false, owner: 'A monitor on another page', prefix: 'another page ' };
}

function failure(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  if (watched.report.state !== 'failed') return undefined;
  const { owner, isOwn } = ownerWords(watched, facts);
  const unseen = isOwn ? ', so you do not see what viewers see. It keeps trying' : '';
  const sentence = `It cannot play the stream${unseen}. ${advise(facts, isOwn)}`;
  return { code: 'play-failed', severity: 'bad', title: `${owner} does not play`, sentence };
}

function hold(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { state, holdSeconds } = watched.report;
  const isStill = state === 'stalled' || state === 'waiting';
  if (!isStill || (holdSeconds ?? heldWarnSeconds) < heldWarnSeconds) return undefined;
  const { owner, isOwn } = ownerWords(watched, facts);
  const severity = (holdSeconds ?? 0) >= heldBadSeconds ? 'bad' : 'warn';
  // For how long is said by the stage.
  const held = state === 'waiting' ? 'No picture has reached it.' : 'Its picture is frozen.';
  return { code: 'play-stalls', title: `${owner} stalls`, severity, sentence: `${held} ${advise(facts, isOwn)}` };
}

function stalls(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { recent } = watched;
  if (!areTrouble(recent)) return undefined;
  const { owner, isOwn } = ownerWords(watched, facts);
  // A stall that began before this minute adds seconds and no count.
  const times = formatTimes(Math.max(recent.stalls, 1));
  const sentence = `It stalled ${times} in the last minute, ${formatSeconds(recent.stalledSeconds)} in all. ${advise(facts, isOwn)}`;
  return { code: 'play-stalls', title: `${owner} stalls`, severity: 'warn', sentence };
}

function drops(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { recent } = watched;
  const ratio = droppedRatio(recent);
  if (recent.decodedFrames < minFrames || ratio <= droppedWarnRatio) return undefined;
  const { owner, isOwn } = ownerWords(watched, facts);
  return {
    code: 'play-drops',
    severity: ratio >= droppedBadRatio ? 'bad' : 'warn',
    title: `${owner} drops frames`,
    sentence: `${formatPercent(ratio)} of the last minute's frames came too late to be shown, so its picture stutters. If viewers see it too, lower the frame rate or the picture size. ${adviseOne(isOwn)}`,
  };
}

function distance(watched: WatchedPlayback, facts: HealthFacts): Verdict | undefined {
  const { state, behindSeconds } = watched.report;
  const farSeconds = (behindSeconds ?? 0) - 3 * (facts.typicalSegmentSeconds ?? usualSegmentSeconds);
  if (state !== 'playing' || farSeconds <= behindWarnSeconds) return undefined;
  const { owner, isOwn } = ownerWords(watched, facts);
  // How far is said by the stage.
  const remedy = isOwn ? ' Reload this page to catch up.' : '';
  return {
    code: 'play-behind',
    severity: farSeconds >= behindBadSeconds ? 'bad' : 'warn',
    title: `${owner} is far behind`,
    sentence: `It shows what was sent long ago.${remedy} ${advise(facts, isOwn)}`,
  };
}

function advise({ oneClick }: HealthFacts, isOwn: boolean): string {
  const all =
    oneClick.kind !== 'running'
      ? 'lower the bitrate: in OBS, Settings → Output → Bitrate'
      : oneClick.quality === smallestQuality
        ? "look at this computer's network"
        : 'choose a smaller picture';
  return `If viewers see it too, ${all}. ${adviseOne(isOwn)}`;
}

function adviseOne(isOwn: boolean): string {
  return isOwn
    ? 'If only you see it, close other programs on this computer, or choose a smaller quality in the monitor.'
    : 'If only that page sees it, look at its computer and its network.';
}

/** Frames that were dropped, as a part of all that should have been shown. */
export function droppedRatio({ droppedFrames, decodedFrames }: WatchedPlayback['recent']): number {
  return decodedFrames === 0 ? 0 : droppedFrames / decodedFrames;
}

export function formatPercent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

export function formatSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

export function formatTimes(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
