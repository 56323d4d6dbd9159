import type { Verdict } from '../../shared/model/live.ts';
import type { HealthFacts } from './health-facts.ts';

/** An encoder may send its sound this much later than its picture. */
const soundStartMs = 4_000;

/** What is wrong where the encoder, or the file, sends only one of picture and sound. */
export function trackVerdict(facts: HealthFacts): Verdict | undefined {
  const isFile = facts.oneClick.kind === 'running' && facts.oneClick.source.kind === 'file';
  const away = facts.meters?.away;
  if (away) return (isFile ? endedInFile : awayFromEncoder)[away];
  return noSoundVerdict(facts, isFile);
}

const awayFromEncoder: Record<'sound' | 'picture', Verdict> = {
  sound: {
    code: 'no-sound',
    severity: 'bad',
    title: 'No sound arrives',
    sentence:
      'The encoder sends only its picture, and viewers hear silence. Look at its sound. In OBS, look at the Audio Mixer, and at Settings → Audio.',
  },
  picture: {
    code: 'no-picture',
    severity: 'bad',
    title: 'No picture arrives',
    sentence:
      'The encoder sends only its sound, and viewers see a still picture. Look at its video. In OBS, choose another Video Encoder in Settings → Output.',
  },
};

/** One track of a file may be shorter than the other: both begin again where the longer one ends. */
const endedInFile: Record<'sound' | 'picture', Verdict> = {
  sound: {
    code: 'no-sound',
    severity: 'warn',
    title: "The file's sound has ended",
    sentence: 'Its picture is longer: viewers hear silence until the file starts again.',
  },
  picture: {
    code: 'no-picture',
    severity: 'warn',
    title: "The file's picture has ended",
    sentence: 'Its sound is longer: viewers see the last picture until the file starts again.',
  },
};

function noSoundVerdict({ air, meters, now }: HealthFacts, isFile: boolean): Verdict | undefined {
  if (air.kind !== 'on-air' || meters?.videoCodec === undefined || meters.audioCodec !== undefined) return undefined;
  // ffmpeg says which tracks a file has before its first picture: there is nothing to wait for.
  if (!isFile && now - air.since < soundStartMs) return undefined;
  return {
    code: 'never-sound',
    severity: 'warn',
    title: 'Viewers hear nothing',
    sentence: isFile
      ? 'The file has no sound. Choose one with sound if viewers should hear something.'
      : 'The encoder sends no sound at all. Choose an audio track and an audio source in the encoder. In OBS, check the Audio Mixer and Settings → Output → Audio Track.',
  };
}
