import { weighDropped } from '../../shared/dropped-frames.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import type { VerdictOf } from '../../shared/model/verdict.ts';
import { seenMs } from './arrival-pauses.ts';
import {
  fpsBadRatio,
  fpsWarnRatio,
  type HealthFacts,
  hasRenditions,
  isSlow,
  keyframeBadSeconds,
  keyframeWarnSeconds,
  paceBadRatio,
  weighQueue,
} from './health-facts.ts';

/** Once this share of the last minute's frames is missing, ... */
const lastingShare = 0.04;
/** ... they still are up to this share of the nominal rate: an encoder at the limit must not switch back and forth. */
const fpsGoodRatio = 0.975;
/** Viewers leave when a sixth of the last minute is frozen. */
const frozenBadSeconds = 10;

/**
 * Whether frames are missing, judged by their timestamps: video that arrives slowly may still be complete. An upload from here that has
 * dropped frames lately has its own verdict, and so has an encoder of ours that is too slow.
 */
export function frameRateVerdict(facts: HealthFacts): VerdictOf<'frames-missing'> | undefined {
  return areMissing(facts) ? lossVerdict(facts) : undefined;
}

/** Whether frames keep getting lost, while all arrive. Viewers notice silence more, so it is judged after the sound. */
export function repeatedLossVerdict(facts: HealthFacts): VerdictOf<'frames-missing'> | undefined {
  return areMissing(facts) ? undefined : lossVerdict(facts);
}

function lossVerdict(facts: HealthFacts): VerdictOf<'frames-missing'> | undefined {
  const { ratio = 0, isRepeated = false } = facts.meters?.droppedFrames ?? {};
  return isSlowerSource(facts) ? undefined : weighFrameRate(facts, isRepeated ? ratio : 0);
}

/**
 * Whether the source makes fewer frames than announced. That lasts and may be meant, so it is judged last and hides no trouble.
 */
export function slowerSourceVerdict(facts: HealthFacts): VerdictOf<'frames-missing'> | undefined {
  const verdict = isSlowerSource(facts) ? weighFrameRate(facts) : undefined;
  return verdict && { ...verdict, severity: 'warn', isSlower: true };
}

/** One click always makes all frames, so it is never a slower source. */
function isSlowerSource({ meters, oneClick }: HealthFacts): boolean {
  return meters?.isSlower === true && oneClick.kind !== 'running';
}

/** @param lostRatio the share of the last minute's frames that were lost, if more than once, 0 to 1 */
function weighFrameRate(facts: HealthFacts, lostRatio = 0): VerdictOf<'frames-missing'> | undefined {
  const { meters, nominalFps, oneClick } = facts;
  if (meters?.fps === undefined || nominalFps === undefined) return undefined;
  if (oneClick.kind === 'running' && oneClick.droppedFrames > 0) return undefined;
  const { fps } = meters;
  const isMissing = areMissing(facts);
  const lost = weighDropped(lostRatio);
  if (!isMissing && lost === 'good') return undefined;
  const severity = lost === 'bad' ? 'bad' : isMissing ? weigh(fps / nominalFps) : 'warn';
  return { code: 'frames-missing', severity, fps, nominalFps, from: sender(oneClick), ...(lost !== 'good' && { lostRatio }) };
}

/** Whether fewer frames arrive than announced, over the last seconds. */
function areMissing({ meters, nominalFps, pace = 1 }: HealthFacts): boolean {
  if (meters?.fps === undefined || nominalFps === undefined) return false;
  const isLasting = (meters.droppedFrames?.ratio ?? 0) >= lastingShare;
  return meters.fps / nominalFps < (isLasting ? fpsGoodRatio : fpsWarnRatio) * pace;
}

/** Whether two publishers keep replacing each other. */
export function turnsVerdict({ takeTurns }: HealthFacts): VerdictOf<'encoders-take-turns'> | undefined {
  return takeTurns ? { code: 'encoders-take-turns', severity: 'bad' } : undefined;
}

/** Whether keyframes are far apart, or have stopped. */
export function keyframeVerdict({ meters }: HealthFacts): VerdictOf<'keyframes-far'> | undefined {
  const intervalSeconds = meters?.keyframeIntervalSeconds;
  if (intervalSeconds === undefined || intervalSeconds <= keyframeWarnSeconds) return undefined;
  const isOverdue = meters?.isKeyframeOverdue && { isOverdue: true as const };
  const severity = intervalSeconds > keyframeBadSeconds ? 'bad' : 'warn';
  return { code: 'keyframes-far', severity, intervalSeconds, ...isOverdue };
}

/** Whether few players can decode the video, and the others have no renditions instead. */
export function profileVerdict(facts: HealthFacts): VerdictOf<'profile-rare'> | undefined {
  return facts.meters?.hasRareProfile && !hasRenditions(facts) ? { code: 'profile-rare', severity: 'bad' } : undefined;
}

/**
 * Whether few players can decode the source, while the others have its renditions. That lasts, so it is judged late: it hides only a
 * slower source.
 */
export function sourceProfileVerdict(facts: HealthFacts): VerdictOf<'profile-rare'> | undefined {
  return facts.meters?.hasRareProfile && hasRenditions(facts) ? { code: 'profile-rare', severity: 'warn' } : undefined;
}

/**
 * Whether media arrives more slowly or faster than it plays, or with pauses. A slow upload from here, which delays it the same way, has
 * its own verdict.
 */
export function arrivalVerdict(facts: HealthFacts): ArrivalVerdict | undefined {
  if (weighQueue(facts) !== 'good') return undefined;
  return paceVerdict(facts) ?? pauseVerdict(facts);
}

type ArrivalVerdict = VerdictOf<'arrives-slowly' | 'arrives-fast' | 'arrives-with-pauses'>;

function paceVerdict({ pace = 1, oneClick }: HealthFacts): ArrivalVerdict | undefined {
  if (pace > 1) return { code: 'arrives-fast', severity: pace > paceBadRatio ? 'bad' : 'warn', pace };
  if (!isSlow(pace)) return undefined;
  return { code: 'arrives-slowly', severity: weigh(pace), pace, from: sender(oneClick) };
}

/** One pause is over before anyone could do anything about it. */
function pauseVerdict({ pauses = { count: 0, seconds: 0 }, oneClick }: HealthFacts): ArrivalVerdict | undefined {
  const { count, seconds, areLosses } = pauses;
  if (count < 2) return undefined;
  const severity = seconds - (count * seenMs) / 1000 < frozenBadSeconds ? 'warn' : 'bad';
  return { code: 'arrives-with-pauses', severity, count, seconds, from: sender(oneClick), ...(areLosses && { areLosses }) };
}

function weigh(ratio: number): 'warn' | 'bad' {
  return ratio < fpsBadRatio ? 'bad' : 'warn';
}

function sender({ kind }: OneClickState): 'one-click' | 'encoder' {
  return kind === 'running' ? 'one-click' : 'encoder';
}
