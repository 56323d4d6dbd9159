import type { Verdict } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/** An encoder may send its sound this much later than its picture. */
const soundStartMs = 4_000;

/** What is wrong where the encoder, or the file, sends only one of picture and sound. */
export function trackVerdict(facts: HealthFacts): Verdict | undefined {
  const isFile = facts.oneClick.kind === 'running' && facts.oneClick.source.kind === 'file';
  const from = isFile ? 'file' : 'encoder';
  const away = facts.meters?.away;
  // One track of a file may be shorter than the other: both begin again where the longer one ends.
  if (away) return { code: away === 'sound' ? 'no-sound' : 'no-picture', severity: isFile ? 'warn' : 'bad', from };
  return noSoundVerdict(facts, from);
}

function noSoundVerdict({ air, meters, now }: HealthFacts, from: 'encoder' | 'file'): Verdict | undefined {
  if (air.kind !== 'on-air' || meters?.videoCodec === undefined || meters.audioCodec !== undefined) return undefined;
  // ffmpeg says which tracks a file has before its first picture: there is nothing to wait for.
  if (from === 'encoder' && now - air.since < soundStartMs) return undefined;
  return { code: 'never-sound', severity: 'warn', from };
}
