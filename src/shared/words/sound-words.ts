import { assertNever } from '../assert-never.ts';
import type { VerdictOf } from '../model/verdict.ts';
import { withUnit } from '../with-unit.ts';
import { formatLevel } from './quantities.ts';
import type { VerdictWords } from './verdict-words.ts';

type SoundVerdict = VerdictOf<'silent' | 'inverted' | 'one-sided' | 'clipping' | 'loudness-off' | 'sound-drifts'>;

/** What is wrong with the sound: where it goes wrong, what viewers hear, and what to do. */
export function describeSound(verdict: SoundVerdict): VerdictWords {
  switch (verdict.code) {
    case 'silent':
      return { title: 'Viewers hear nothing', sentence: describeSilence(verdict) };
    case 'inverted': {
      const what =
        verdict.stage === 'capture' ? 'The captured sound has one side inverted' : 'The encoder sends one side inverted';
      return {
        title: 'One side of the sound is inverted',
        sentence: `${what}: left and right cancel out on phones and other single loudspeakers, so some viewers hear nothing. Check the cables and adapters of your microphone, or use only one of its two channels.`,
      };
    }
    case 'one-sided': {
      const { without } = verdict;
      return {
        title: 'Sound on one side only',
        sentence:
          verdict.stage === 'capture'
            ? `The captured sound has nothing on the ${without}, so viewers hear nothing there. Check the cable of your microphone, or make it mono in the system's sound settings.`
            : `The encoder sends nothing on the ${without}, so viewers hear nothing there. Check the cable of your microphone, or use it as mono. In OBS, tick Mono in Advanced Audio Properties.`,
      };
    }
    case 'clipping':
      return { title: 'The sound is clipping', sentence: describeClipping(verdict) };
    case 'loudness-off':
      return describeLoudness(verdict);
    case 'sound-drifts':
      return { title: 'Sound and picture drift apart', sentence: describeDrift(verdict) };
    default:
      return assertNever(verdict);
  }
}

function describeSilence({ stage, mayBeWithheld, isUnchosen }: VerdictOf<'silent'>): string {
  if (isUnchosen) return 'The source has no sound. Add one in Change source.';
  if (stage === 'encoder') {
    return 'The encoder has sent silence for 10 s or longer. Check that your microphone and your other sources are on and not muted. In OBS, check the Audio Mixer.';
  }
  const mac = mayBeWithheld
    ? ' If something is playing, your system is blocking its sound: on macOS, allow Tallylight, the terminal that started it, or the browser that captures it, under System Settings → Privacy & Security → Screen & System Audio Recording.'
    : '';
  return `The captured sound has been silent for 10 s or longer. Check that your microphone and your other sources are on, and not muted in Change source or at the device.${mac}`;
}

function describeClipping({ stage, isLimited }: VerdictOf<'clipping'>): string {
  if (stage === 'encoder') {
    return 'The encoder sends peaks above 0 dBTP, so the sound distorts. Turn down the microphone, or the source that is too loud. In OBS, keep it out of the red in the Audio Mixer.';
  }
  return isLimited
    ? '“Keep peaks from clipping” is on, but the mix is so dense that encoding it makes peaks above 0 dBTP, and it distorts. In Change source, turn the loudest sound down by 3 dB or more.'
    : 'The captured mix has peaks above 0 dBTP, so it distorts. In Change source, turn down the sound that is too loud, or tick “Keep peaks from clipping”.';
}

function describeLoudness({ stage, loudnessLufs, targetLufs }: VerdictOf<'loudness-off'>): VerdictWords {
  const isLoud = loudnessLufs > targetLufs;
  const by = Math.round(Math.abs(loudnessLufs - targetLufs));
  const [what, where] = stage === 'capture' ? ["This computer's sound", ' in Change source'] : ["The encoder's sound", ''];
  return {
    title: isLoud ? 'The sound is too loud' : 'The sound is too quiet',
    sentence: `${what} averaged ${withUnit(formatLevel(loudnessLufs), 'LUFS')} over the last minute. Turn it ${isLoud ? 'down' : 'up'} by about ${withUnit(by, 'dB')}${where}: viewers expect ${withUnit(formatLevel(targetLufs), 'LUFS')}.`,
  };
}

function describeDrift({ driftMs, isOwn }: VerdictOf<'sound-drifts'>): string {
  const how = `The encoder's sound has gradually moved ${withUnit(Math.abs(driftMs), 'ms')} ${driftMs > 0 ? 'behind' : 'ahead of'} its picture.`;
  return isOwn
    ? `${how} Stop and go live again to resync them.`
    : `${how} Restart the broadcast to resync them. To keep them in sync, use the same sample rate in the encoder and in your sound device, 48 kHz for most. In OBS, see Settings → Audio.`;
}
