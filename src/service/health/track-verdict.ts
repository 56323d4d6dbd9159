import type { VerdictOf } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/** An encoder may start one track this much later than the other. */
const otherTrackMs = 4_000;

/** The verdict on an encoder that sends only video or only audio. Our own sends both unless the ffmpeg of one keeps failing. */
export function trackVerdict(
  facts: HealthFacts,
): VerdictOf<'no-sound' | 'no-picture' | 'sound-apart' | 'never-sound'> | undefined {
  const { meters, isSilenceMeant, oneClick } = facts;
  const isOwn = oneClick.kind === 'running' && { isOwn: true as const };
  if (meters?.isSoundApart && !isStarting(facts)) return { code: 'sound-apart', severity: 'bad' };
  if (meters?.away === 'sound') return { code: 'no-sound', severity: 'bad', ...isOwn };
  if (meters?.away === 'picture') {
    return { code: 'no-picture', severity: 'bad', ...(meters.isWithoutKeyframe && { isWithoutKeyframe: true }), ...isOwn };
  }
  if (meters?.videoCodec === undefined || meters.audioCodec !== undefined || isStarting(facts)) return undefined;
  if (isSilenceMeant) return undefined;
  return { code: 'never-sound', severity: 'warn' };
}

/** Whether the encoder has never sent a picture, which may be meant if its session has had none before. */
export function isSoundOnly(facts: HealthFacts): boolean {
  const { meters } = facts;
  return meters?.audioCodec !== undefined && meters.videoCodec === undefined && !isStarting(facts);
}

function isStarting({ air, now }: HealthFacts): boolean {
  return air.kind !== 'on-air' || now - air.since < otherTrackMs;
}
