import type { EncoderName } from '../../shared/model/encoder.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import type { Clock } from '../ports.ts';
import { Ladder } from '../transcode/ladder.ts';
import type { StartLadder } from './rendition-set.ts';

/** Starts a ladder with what this computer has; where it has nothing to encode with, says so and starts none. */
export function startLadder(
  options: Parameters<StartLadder>[0],
  { ffmpeg, encoder, clock }: { ffmpeg: ServiceInfo['ffmpeg']; encoder: EncoderName | undefined; clock: Clock },
): ReturnType<StartLadder> {
  if (ffmpeg.kind === 'found' && encoder !== undefined)
    return new Ladder({ ...options, encoder, clock, ffmpegPath: ffmpeg.path });
  const why = ffmpeg.kind === 'missing' ? 'no ffmpeg was found' : 'no encoder works on this computer';
  options.onEvent({
    kind: 'given-up',
    severity: 'warn',
    sentence: `There are no renditions, since ${why}: viewers get the source alone.`,
    profileIndexes: options.profiles.map((_, index) => index),
    stderr: [],
  });
  for (const index of options.profiles.keys()) options.onLeave(index);
  return undefined;
}
