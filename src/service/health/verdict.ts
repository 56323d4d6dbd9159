import { findCoarseBitrate } from '../../shared/coarse-picture.ts';
import type { Unplayable } from '../../shared/model/live.ts';
import type { Verdict } from '../../shared/model/verdict.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { isFailure, isOwnEncoder } from '../../shared/sent-from-here.ts';
import {
  arrivalVerdict,
  frameRateVerdict,
  keyframeVerdict,
  profileVerdict,
  repeatedLossVerdict,
  slowerSourceVerdict,
  sourceProfileVerdict,
  turnsVerdict,
} from './arrival-verdict.ts';
import { canShrink, encodePace, type HealthFacts, hasRenditions, wasMissed, weighEncode, weighQueue } from './health-facts.ts';
import { pickWorstForViewers } from './pick-worst.ts';
import { playVerdict, resumingVerdict } from './play-verdict.ts';
import { driftVerdict, loudnessVerdict, soundVerdict } from './sound-verdict.ts';
import { deviceDriftVerdicts, endedVerdicts, sourceVerdicts } from './source-verdict.ts';
import { isSoundOnly, trackVerdict } from './track-verdict.ts';

/** The one verdict to show: the worst trouble, closest to the camera; undefined if there is nothing to judge. */
export function drawVerdict(facts: HealthFacts): Verdict | undefined {
  const { air, oneClick } = facts;
  if (isFailure(oneClick, air)) return { code: 'go-live-failed', severity: 'bad', failure: oneClick.failure };
  if (oneClick.kind === 'retrying') {
    return { code: 'ingest-retry', severity: 'bad', hasBeenLive: air.kind === 'on-air' || air.kind === 'reconnecting' };
  }
  if (air.kind === 'reconnecting') {
    if (oneClick.kind === 'stopping') return undefined;
    if (air.unplayable !== undefined) return nothingPlays(air.unplayable, true);
    const isOwn = isOwnEncoder(oneClick.kind);
    if (air.back === 'sending') return { code: 'encoder-back', severity: 'warn', ...(isOwn && { isOwn }) };
    if (air.back === 'connected') return { code: 'nothing-arrives', severity: 'bad', isBack: true, isOwn };
    const { isKeyRenewed } = air;
    return { code: 'encoder-gone', severity: 'bad', isOwn, ...(isKeyRenewed && { isKeyRenewed }) };
  }
  const worst = pickWorstForViewers(findTroubles(facts));
  if (worst !== undefined || air.kind !== 'on-air') return worst;
  return resumingVerdict(facts) ?? { code: isSoundOnly(facts) ? 'sound-only' : 'good', severity: 'good' };
}

/** The `severity` of the view of a stream that is on air with this verdict. */
export function describeSeverity(verdict: Verdict | undefined): Pick<StreamView, 'severity'> {
  return verdict === undefined || verdict.severity === 'good' ? {} : { severity: verdict.severity };
}

/** Everything that is wrong, from the camera onwards. {@link drawVerdict} picks the worst. */
export function findTroubles(facts: HealthFacts): Verdict[] {
  const judgeAll = (judges: readonly Judge[]) => judges.flatMap((judge) => judge(facts) ?? []);
  if (facts.air.kind === 'on-air') return judgeAll(nearestFirst);
  if (facts.air.kind !== 'connecting') return [];
  // Only troubles that keep it off air; everything else is judged once it is on air.
  return judgeAll([unseenVerdict, turnsVerdict, ...ownPart]).filter(
    ({ code, severity }) => severity === 'bad' || code === 'region-unseen',
  );
}

type Judge = (facts: HealthFacts) => Verdict | Verdict[] | undefined;

/** Judges of one click that don't need an ingest to take its media. */
const ownPart: readonly Judge[] = [sourceVerdicts, deviceDriftVerdicts, encodeVerdict, queueVerdict, missedVerdict];

/** From the camera onwards: of equally bad troubles, the first one is shown. */
const nearestFirst: readonly Judge[] = [
  silenceVerdict,
  unseenVerdict,
  turnsVerdict,
  sleepVerdict,
  ...ownPart,
  stoppedVerdict,
  trackVerdict,
  frameRateVerdict,
  arrivalVerdict,
  soundVerdict,
  driftVerdict,
  repeatedLossVerdict,
  keyframeVerdict,
  profileVerdict,
  ladderVerdict,
  playVerdict,
  coarseVerdict,
  loudnessVerdict,
  sourceProfileVerdict,
  slowerSourceVerdict,
  endedVerdicts,
];

/** Based on the air state that the screens show, so that the verdict never contradicts it. */
function silenceVerdict({ air, oneClick, region }: HealthFacts): Verdict | undefined {
  if (air.kind !== 'on-air' || air.silentSince === undefined || region !== undefined) return undefined;
  if (air.unplayable !== undefined) return nothingPlays(air.unplayable, false);
  return { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: isOwnEncoder(oneClick.kind) };
}

function nothingPlays(why: Unplayable, isBack: boolean): Verdict {
  return { code: 'nothing-plays', severity: 'bad', why, isBack };
}

/** Whether another region plays nothing new. A trouble here may be the reason. */
function stoppedVerdict({ air, region, ofService }: HealthFacts): Verdict | undefined {
  if (air.kind !== 'on-air' || air.silentSince === undefined || region === undefined) return undefined;
  return { code: 'region-stopped', severity: 'bad', region, ...(ofService && { ofService }) };
}

/** Whether it is unknown here if another region plays the broadcast. */
function unseenVerdict({ air, region, ofService }: HealthFacts): Verdict | undefined {
  const isUnseen =
    air.kind === 'on-air' ? air.unseenSince !== undefined : air.kind === 'connecting' && air.awaiting === 'playlist';
  if (!isUnseen || region === undefined) return undefined;
  return { code: 'region-unseen', severity: 'warn', region, ...(ofService && { ofService }) };
}

function sleepVerdict({ air, slept }: HealthFacts): Verdict | undefined {
  if (slept === undefined || air.kind !== 'on-air' || air.since > slept.to) return undefined;
  return { code: 'slept', severity: 'warn', sleep: slept };
}

function encodeVerdict(facts: HealthFacts): Verdict | undefined {
  const { oneClick } = facts;
  const speed = encodePace(facts);
  const severity = weighEncode(facts);
  if (oneClick.kind !== 'running' || speed === undefined || severity === 'good') return undefined;
  return {
    code: 'encode-slow',
    severity,
    speed,
    canShrink: canShrink(oneClick),
    ...remedyFor(facts),
  };
}

function queueVerdict(facts: HealthFacts): Verdict | undefined {
  const { oneClick } = facts;
  const severity = weighQueue(facts);
  if (oneClick.kind !== 'running' || severity === 'good') return undefined;
  const { queueMs, droppedFrames, isLowestBitrate: isLowest, isBitrateKept: isKept } = oneClick;
  const queue = { queueMs, droppedFrames, ...(isLowest && { isLowest }), ...(isKept && { isKept }) };
  return severity === 'bad' ? { code: 'upload-slow', severity, ...queue } : { code: 'upload-tight', severity, ...queue };
}

/** Whether the upload has dropped much lately, once nothing waits any more. */
function missedVerdict(facts: HealthFacts): Verdict | undefined {
  const { oneClick } = facts;
  if (oneClick.kind !== 'running' || weighQueue(facts) !== 'good' || !wasMissed(facts)) return undefined;
  return { code: 'upload-dropped', severity: 'warn', droppedFrames: oneClick.droppedFrames };
}

/** This may last for the whole show, so it is judged late: it hides only what viewers notice less. */
function coarseVerdict({ oneClick }: HealthFacts): Verdict | undefined {
  const lowered = findCoarseBitrate(oneClick);
  return lowered && { code: 'picture-coarse', severity: 'warn', ...lowered };
}

function ladderVerdict(facts: HealthFacts): Verdict | undefined {
  const { renditions } = facts;
  // While any rendition rests, none is made.
  if (renditions.some(({ state }) => state === 'resting')) return { code: 'no-renditions', severity: 'warn', isResting: true };
  const names = renditions.filter(({ state }) => state === 'shed').map(({ asked }) => asked.name);
  if (names.length > 0) return { code: 'renditions-shed', severity: 'warn', names, ...remedyFor(facts) };
  if (!renditions.some(({ state }) => state === 'given-up')) return undefined;
  return { code: 'no-renditions', severity: 'warn' };
}

/** Whether making fewer renditions is an option. */
function remedyFor(facts: HealthFacts): { remedy?: 'fewer-renditions' } {
  return hasRenditions(facts) ? { remedy: 'fewer-renditions' } : {};
}
