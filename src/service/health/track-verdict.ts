import type { Verdict } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/** An encoder may start its audio this much later than its video. */
const soundStartMs = 4_000;

/** What is wrong if the encoder sends only one of video and audio. Our own always sends both. */
export function trackVerdict({ air, meters, isSilenceMeant, now }: HealthFacts): Verdict | undefined {
  const away = meters?.away;
  if (away) return { code: away === 'sound' ? 'no-sound' : 'no-picture', severity: 'bad' };
  if (air.kind !== 'on-air' || meters?.videoCodec === undefined || meters.audioCodec !== undefined) return undefined;
  if (now - air.since < soundStartMs || isSilenceMeant) return undefined;
  return { code: 'never-sound', severity: 'warn' };
}
