import { assertNever } from '../../shared/assert-never.ts';
import type { Severity, StageReport } from '../../shared/model/live.ts';
import { isFailure } from '../../shared/one-click-failure.ts';
import {
  type HealthFacts,
  isEncodingSlowly,
  keyframeWarnSeconds,
  lastSeenBadMs,
  queueBadMs,
  queueWarnMs,
} from './health-facts.ts';
import { playStage } from './play-stage.ts';

/** The stages that are measured now, from camera to viewer; a stage without a measurement is left out. */
export function reportStages(facts: HealthFacts): StageReport[] {
  if (facts.air.kind === 'off-air' && facts.oneClick.kind === 'idle') return [];
  return [
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
  if (isFailure(oneClick, air)) return { stage: 'encode', severity: 'bad', summary: 'failed' };
  if (oneClick.kind !== 'running' || oneClick.encodeFps === undefined) return undefined;
  const { encodeSpeed, encodeFps } = oneClick;
  const severity: Severity = isEncodingSlowly(facts) ? 'bad' : 'good';
  const speed = encodeSpeed === undefined ? '' : ` · ${encodeSpeed.toFixed(2)} × real time`;
  return { stage: 'encode', severity, summary: `${encodeFps.toFixed(1)} fps${speed}` };
}

function uploadStage({ oneClick }: HealthFacts): StageReport | undefined {
  if (oneClick.kind === 'retrying') return { stage: 'upload', severity: 'bad', summary: 'not connected' };
  if (oneClick.kind !== 'running') return undefined;
  const { queueMs, droppedFrames } = oneClick;
  const severity: Severity = queueMs >= queueBadMs ? 'bad' : queueMs >= queueWarnMs ? 'warn' : 'good';
  const dropped = droppedFrames > 0 ? ` · ${droppedFrames} dropped` : '';
  return { stage: 'upload', severity, summary: `queue ${Math.round(queueMs)} ms${dropped}` };
}

function ingestStage({ now, lastMediaAt = 0, air, oneClick }: HealthFacts): StageReport | undefined {
  const bad = (summary: string) => ({ stage: 'ingest', severity: 'bad', summary }) as const;
  const good = (summary: string) => ({ stage: 'ingest', severity: 'good', summary }) as const;
  const sendsNothing = bad('connected, sends nothing');
  const nothingFor = (ms: number) => bad(`nothing for ${Math.round(ms / 1000)} s`);
  switch (air.kind) {
    case 'off-air':
      return undefined;
    case 'reconnecting':
      if (air.back === undefined) return bad('no encoder');
      return air.back === 'sending' ? good('receiving') : sendsNothing;
    case 'on-air':
      return air.silentSince === undefined ? good('receiving') : sendsNothing;
    case 'connecting': {
      if (oneClick.kind === 'starting') return undefined;
      // What came before this publisher did says nothing of it.
      const ageMs = now - Math.max(lastMediaAt, air.since);
      if (ageMs > lastSeenBadMs) return nothingFor(ageMs);
      return good(lastMediaAt < air.since ? 'waiting' : 'receiving');
    }
    default:
      return assertNever(air);
  }
}

function transcodeStage({ air, renditions }: HealthFacts): StageReport | undefined {
  if (renditions.length === 0 || (air.kind !== 'on-air' && air.kind !== 'reconnecting')) return undefined;
  const missing = renditions.filter(({ state }) => state === 'shed' || state === 'given-up').length;
  if (missing > 0) {
    const severity: Severity = missing === renditions.length ? 'bad' : 'warn';
    return { stage: 'transcode', severity, summary: `${missing} of ${renditions.length} left out` };
  }
  const made = renditions.filter(({ state }) => state !== 'left-out').length;
  if (made === 0) return { stage: 'transcode', severity: 'good', summary: 'left out by you' };
  const summary = made === 1 ? '1 rendition keeps up' : `${made} renditions keep up`;
  return { stage: 'transcode', severity: 'good', summary };
}

function packageStage({ air, typicalSegmentSeconds }: HealthFacts): StageReport | undefined {
  if (typicalSegmentSeconds === undefined || air.kind === 'off-air' || air.kind === 'connecting') return undefined;
  const severity: Severity = typicalSegmentSeconds > keyframeWarnSeconds ? 'warn' : 'good';
  return { stage: 'package', severity, summary: `segments of ${typicalSegmentSeconds.toFixed(1)} s` };
}
