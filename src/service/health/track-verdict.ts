import type { Verdict } from '../../shared/model/verdict.ts';
import type { HealthFacts } from './health-facts.ts';

/** An encoder may start its audio this much later than its video. */
const soundStartMs = 4_000;

/** What is wrong if the encoder or file sends only one of video and audio. */
export function trackVerdict(facts: HealthFacts): Verdict | undefined {
  const isFile = facts.oneClick.kind === 'running' && facts.oneClick.source.kind === 'file';
  const from = isFile ? 'file' : 'encoder';
  const away = facts.meters?.away;
  // In a file one track may be shorter than the other; both restart when the longer one ends.
  if (away) return { code: away === 'sound' ? 'no-sound' : 'no-picture', severity: isFile ? 'warn' : 'bad', from };
  return noSoundVerdict(facts, from);
}

function noSoundVerdict({ air, meters, now }: HealthFacts, from: 'encoder' | 'file'): Verdict | undefined {
  if (air.kind !== 'on-air' || meters?.videoCodec === undefined || meters.audioCodec !== undefined) return undefined;
  // ffmpeg knows a file's tracks before the first frame, so there is nothing to wait for.
  if (from === 'encoder' && now - air.since < soundStartMs) return undefined;
  return { code: 'never-sound', severity: 'warn', from };
}
