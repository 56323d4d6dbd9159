import { assertNever } from '../../shared/assert-never.ts';
import { findCoarseBitrate } from '../../shared/coarse-picture.ts';
import { isArriving } from '../../shared/is-arriving.ts';
import type { Severity } from '../../shared/model/live.ts';
import type { StageReport } from '../../shared/model/verdict.ts';
import { isFailure } from '../../shared/sent-from-here.ts';
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
import { captureStage } from './capture-stage.ts';
import {
  encodePace,
  type HealthFacts,
  keyframeWarnSeconds,
  lastSeenBadMs,
  wasMissed,
  weighEncode,
  weighQueue,
} from './health-facts.ts';
import { pickWorst } from './pick-worst.ts';
import { playStage } from './play-stage.ts';
import { findSoundTrouble } from './sound-verdict.ts';
import { isSoundOnly, trackVerdict } from './track-verdict.ts';

/** The stages that are currently measured, from camera to viewer. A stage without measurements is omitted. */
export function reportStages(facts: HealthFacts): StageReport[] {
  if (facts.air.kind === 'off-air' && facts.oneClick.kind === 'idle') return [];
  return [
    captureStage(facts),
    encodeStage(facts),
    uploadStage(facts),
    ingestStage(facts),
    transcodeStage(facts),
    packageStage(facts),
    playStage(facts),
  ].filter((stage) => stage !== undefined);
}

function encodeStage(facts: HealthFacts): StageReport | undefined {
  const { oneClick, air } = facts;
  if (isFailure(oneClick, air)) return { stage: 'encode', code: 'encode-failed', severity: 'bad' };
  const severity = weighEncode(facts);
  const trouble = findSoundTrouble(facts, 'encoder');
  // Another program's encoder is known only by the troubles with its media.
  if (trouble !== undefined && severity === 'good')
    return { stage: 'encode', code: 'encoding-sound', severity: 'warn', trouble };
  if (oneClick.kind !== 'running' || oneClick.encodeFps === undefined) return undefined;
  const { encodeFps: fps } = oneClick;
  const speed = encodePace(facts);
  return { stage: 'encode', code: 'encoding', severity, fps, ...(speed !== undefined && { speed }) };
}

function uploadStage(facts: HealthFacts): StageReport | undefined {
  const { oneClick } = facts;
  if (oneClick.kind === 'retrying') return { stage: 'upload', code: 'not-connected', severity: 'bad' };
  if (oneClick.kind !== 'running') return undefined;
  const { queueMs, droppedFrames } = oneClick;
  const queued = weighQueue(facts);
  const coarseBps = queued === 'good' ? findCoarseBitrate(oneClick)?.bitrateBps : undefined;
  const severity = queued === 'good' && (coarseBps !== undefined || wasMissed(facts)) ? 'warn' : queued;
  return { stage: 'upload', code: 'sending', severity, queueMs, droppedFrames, ...(coarseBps !== undefined && { coarseBps }) };
}

function ingestStage(facts: HealthFacts): StageReport | undefined {
  const { now, lastMediaAt = 0, air, oneClick } = facts;
  switch (air.kind) {
    case 'off-air':
      return undefined;
    case 'reconnecting':
      // Nobody waits for its encoder any more.
      if (oneClick.kind === 'stopping') return undefined;
      if (air.back === undefined) return { stage: 'ingest', code: 'no-encoder', severity: 'bad' };
      if (air.unplayable !== undefined) return nothingPlays;
      return air.back === 'sending' ? receiving : sendsNothing;
    case 'on-air':
      if (air.unplayable !== undefined) return nothingPlays;
      return air.silentSince === undefined ? receivingStage(facts) : sendsNothing;
    case 'connecting': {
      if (oneClick.kind === 'starting') return undefined;
      // Ignore media from before this publisher connected.
      const ageMs = now - Math.max(lastMediaAt, air.since);
      if (ageMs > lastSeenBadMs) return { stage: 'ingest', code: 'nothing-yet', severity: 'bad', forMs: ageMs };
      return lastMediaAt < air.since ? { stage: 'ingest', code: 'waiting', severity: 'good' } : receiving;
    }
    default:
      return assertNever(air);
  }
}

function receivingStage(facts: HealthFacts): StageReport {
  const trouble = pickWorst([
    turnsVerdict(facts),
    trackVerdict(facts),
    // An encoder of ours that is too slow is its own stage.
    ...(weighEncode(facts) === 'good' ? [frameRateVerdict(facts), arrivalVerdict(facts), repeatedLossVerdict(facts)] : []),
    keyframeVerdict(facts),
    profileVerdict(facts),
    sourceProfileVerdict(facts),
    slowerSourceVerdict(facts),
  ]);
  if (trouble === undefined) return receiving;
  const { code, severity } = trouble;
  const lostRatio = code === 'frames-missing' ? trouble.lostRatio : undefined;
  return { stage: 'ingest', code: 'receiving-badly', severity, trouble: code, ...(lostRatio !== undefined && { lostRatio }) };
}

const receiving: StageReport = { stage: 'ingest', code: 'receiving', severity: 'good' };

const nothingPlays: StageReport = { stage: 'ingest', code: 'receiving-badly', severity: 'bad', trouble: 'nothing-plays' };

const sendsNothing: StageReport = { stage: 'ingest', code: 'sends-nothing', severity: 'bad' };

/** Whether a broadcast's media arrives: otherwise, what follows the ingest has nothing to measure. */
function isReceiving(air: HealthFacts['air']): boolean {
  return isArriving(air) || (air.kind === 'reconnecting' && air.back === 'sending' && air.unplayable === undefined);
}

function transcodeStage(facts: HealthFacts): StageReport | undefined {
  const { air, renditions } = facts;
  if (renditions.length === 0 || !isReceiving(air)) return undefined;
  if (isSoundOnly(facts)) return { stage: 'transcode', code: 'without-video', severity: 'good' };
  const of = renditions.length;
  const missing = renditions.filter(({ state }) => state === 'shed' || state === 'resting' || state === 'given-up').length;
  if (missing > 0) return { stage: 'transcode', code: 'some-left-out', severity: missing === of ? 'bad' : 'warn', missing, of };
  const made = renditions.filter(({ state }) => state !== 'left-out').length;
  if (made === 0) return { stage: 'transcode', code: 'left-out-by-owner', severity: 'good' };
  const running = renditions.filter(({ state }) => state === 'running').length;
  if (running === 0) return { stage: 'transcode', code: 'starting', severity: 'good', renditions: made };
  return { stage: 'transcode', code: 'keeping-up', severity: 'good', renditions: running };
}

function packageStage({ air, typicalSegmentSeconds: segmentSeconds }: HealthFacts): StageReport | undefined {
  if (segmentSeconds === undefined || !isReceiving(air)) return undefined;
  const severity: Severity = segmentSeconds > keyframeWarnSeconds ? 'warn' : 'good';
  return { stage: 'package', code: 'packaging', severity, segmentSeconds };
}
