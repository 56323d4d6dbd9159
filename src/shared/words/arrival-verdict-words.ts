import { assertNever } from '../assert-never.ts';
import { formatCount } from '../format-count.ts';
import type { VerdictOf } from '../model/verdict.ts';
import { withUnit } from '../with-unit.ts';
import { bitrateInObs, mediaIsBack, orLess } from './advice-words.ts';
import { formatPercent, formatSeconds, formatTimes } from './quantities.ts';
import type { VerdictWords } from './verdict-words.ts';

type ArrivalVerdict = VerdictOf<
  | 'encoder-back'
  | 'encoder-gone'
  | 'nothing-arrives'
  | 'nothing-plays'
  | 'encoders-take-turns'
  | 'no-sound'
  | 'no-picture'
  | 'never-sound'
  | 'sound-apart'
  | 'sound-only'
  | 'frames-missing'
  | 'arrives-slowly'
  | 'arrives-fast'
  | 'arrives-with-pauses'
  | 'keyframes-far'
  | 'profile-rare'
>;

/** What is wrong with the media that arrives from an encoder, or that it is gone. */
export function describeArrivalTrouble(verdict: ArrivalVerdict): VerdictWords {
  switch (verdict.code) {
    case 'encoder-back':
      return verdict.isOwn
        ? { title: mediaIsBack.ours, sentence: 'Viewers will see it in a moment.' }
        : { title: mediaIsBack.theirs, sentence: "It's connected again. Viewers will see it in a moment." };
    case 'encoder-gone': {
      // The large word says how long it has been gone, the monitor what viewers see.
      const todo = verdict.isOwn
        ? 'Tallylight is bringing it back.'
        : verdict.isKeyRenewed
          ? 'The stream has a new stream key: copy it into the encoder, and start it again.'
          : 'Check the encoder and its network.';
      return { title: 'Encoder lost', sentence: `${todo} The broadcast continues as soon as it is back.` };
    }
    case 'nothing-arrives':
      return {
        title: 'No media arriving',
        sentence: verdict.isOwn
          ? 'Nothing reaches the ingest from this computer. Tallylight restarts the connection or the encoder within seconds.'
          : `The encoder is connected${verdict.isBack ? ' again' : ''} but isn't sending anything. Check the encoder and its network.`,
      };
    case 'nothing-plays':
      return { title: "Incoming media can't be played", sentence: adviseUnplayable(verdict) };
    case 'encoders-take-turns':
      return {
        title: 'Two encoders use the same key',
        sentence:
          'Both keep reconnecting with this stream key, and each replaces the other. Stop one, or give the stream a new key.',
      };
    case 'no-sound':
      return {
        title: 'No sound from the encoder',
        sentence: verdict.isOwn
          ? `ffmpeg isn't encoding the sound, so viewers hear silence. ${restartsOwn}`
          : 'The encoder sends only a picture, so viewers hear silence. Check its audio. In OBS, check the Audio Mixer and Settings → Audio.',
      };
    case 'no-picture':
      return {
        title: 'No picture from the encoder',
        sentence: describeNoPicture(verdict),
      };
    case 'never-sound':
      return {
        title: 'Viewers hear nothing',
        sentence:
          'The encoder sends no sound at all. Choose an audio track and an audio source in the encoder. In OBS, check the Audio Mixer and Settings → Output → Audio Track.',
      };
    case 'sound-apart':
      return {
        title: 'Sound and picture are timed apart',
        sentence:
          "The sound's timestamps are too far from the picture's to play both together, so viewers hear nothing. Restart the encoder.",
      };
    case 'sound-only':
      return {
        title: 'Sound only',
        sentence:
          'The encoder sends no video, so viewers hear sound over a black picture. If there should be video, check the encoder.',
      };
    case 'frames-missing':
      return verdict.isSlower
        ? { title: 'Fewer frames than announced', sentence: describeSlowerSource(verdict) }
        : { title: 'Frames are missing', sentence: describeMissingFrames(verdict) };
    case 'arrives-slowly':
      return { title: 'Media arrives too slowly', sentence: describeSlowArrival(verdict) };
    case 'arrives-fast':
      return { title: 'Media arrives too fast', sentence: describeFastArrival(verdict) };
    case 'arrives-with-pauses':
      return verdict.areLosses
        ? { title: 'The encoder keeps disconnecting', sentence: describeLosses(verdict) }
        : { title: 'Media keeps pausing', sentence: describePauses(verdict) };
    case 'keyframes-far':
      return {
        title: 'Keyframes are too far apart',
        sentence: `${describeKeyframes(verdict)} ${adviceForKeyframes}`,
      };
    case 'profile-rare':
      return {
        title: verdict.severity === 'bad' ? 'Many viewers see no picture' : 'Many viewers get only renditions',
        sentence:
          "The encoder sends video in a profile that phones and some browsers can't decode, such as 4:4:4, 4:2:2 or H.264 in 10 bits. In OBS, choose NV12 as Color Format in Settings → Advanced, and high or main as Profile in Settings → Output.",
      };
    default:
      return assertNever(verdict);
  }
}

/** How to get keyframes often enough. */
export const adviceForKeyframes =
  'In OBS, open Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\u00a0s.';
const restartWithKeyframes = `Restart it. ${adviceForKeyframes}`;

function adviseUnplayable({ why }: VerdictOf<'nothing-plays'>): string {
  switch (why) {
    case 'no-keyframe':
      return `The encoder is sending video without keyframes, so viewers see nothing new. ${restartWithKeyframes}`;
    case 'unusable':
      return 'The encoder is sending, but viewers see nothing new. Restart the encoder.';
  }
}

const restartsOwn = 'Tallylight keeps restarting it; “What happened” says why.';

function describeNoPicture({ isOwn, isWithoutKeyframe }: VerdictOf<'no-picture'>): string {
  if (isOwn) return `ffmpeg isn't encoding the picture, so viewers see a still one. ${restartsOwn}`;
  return isWithoutKeyframe
    ? `The encoder sends video without keyframes, so viewers see a still picture or none. ${restartWithKeyframes}`
    : 'The encoder sends only sound, so viewers see a still picture or none. Check its video. In OBS, choose another Video Encoder in Settings → Output.';
}

const easeOwnEncoder = `Close other programs. ${orLess}`;

function describeMissingFrames({ fps, nominalFps, from, lostRatio }: VerdictOf<'frames-missing'>): string {
  const [missing, them] =
    lostRatio === undefined
      ? [`Only ${fps.toFixed(1)} of ${formatRate(nominalFps)} frames per second arrive`, 'the others']
      : [`Frames keep getting lost, ${formatPercent(lostRatio)} in the last minute`, 'them'];
  // An encoder elsewhere drops frames that its connection has no room for; most repeat a frame that they have no time for.
  const todo =
    from === 'one-click'
      ? `the encoder is overloaded. ${easeOwnEncoder}`
      : `the encoder drops ${them}, mostly because its connection is too slow. Lower its bitrate ${bitrateInObs}, or use a wired connection. If it is overloaded, lower its resolution or frame rate.`;
  return `${missing}: ${todo}`;
}

/** An encoder that drops every other frame looks the same as a slower source. */
function describeSlowerSource({ fps, nominalFps }: VerdictOf<'frames-missing'>): string {
  return `The encoder announces ${formatRate(nominalFps)} frames per second and sends ${fps.toFixed(1)}, as phones do in dim light and shared screens while nothing moves. If that's meant, ignore this. If not, the encoder is overloaded or its connection is too slow: lower its resolution or bitrate.`;
}

function formatRate(fps: number): number {
  return Number(fps.toFixed(2));
}

function describeSlowArrival({ pace, from }: VerdictOf<'arrives-slowly'>): string {
  const todo =
    from === 'one-click'
      ? easeOwnEncoder
      : 'Lower its bitrate, or use a wired connection. If it is overloaded, lower its resolution or frame rate.';
  return `Only ${withUnit((10 * pace).toFixed(1), 's')} of media arrives every 10 s, so viewers stall: the encoder is too slow, or its connection is. ${todo}`;
}

function describeFastArrival({ pace }: VerdictOf<'arrives-fast'>): string {
  const speed = pace < 10 ? pace.toFixed(2) : formatCount(pace);
  return `The encoder sends at ${speed} × real time, so viewers can't keep up. With ffmpeg, put -re in front of -i.`;
}

function describePauses({ count, seconds, from }: VerdictOf<'arrives-with-pauses'>): string {
  const todo =
    from === 'one-click'
      ? easeOwnEncoder
      : `The encoder, its network or this computer can't keep up. Lower the encoder's bitrate ${bitrateInObs}, or use a wired connection.`;
  return `It paused ${formatTimes(count)} in the last minute, ${formatSeconds(seconds)} in total, so viewers stall. ${todo}`;
}

function describeLosses({ count, seconds, from }: VerdictOf<'arrives-with-pauses'>): string {
  const todo = from === 'one-click' ? "Check this computer's network." : 'Check the encoder and its network.';
  return `It was gone ${formatTimes(count)} in the last minute, ${formatSeconds(seconds)} in total. ${todo}`;
}

function describeKeyframes({ isOverdue, intervalSeconds }: VerdictOf<'keyframes-far'>): string {
  const interval = formatSeconds(intervalSeconds);
  return isOverdue
    ? `No keyframe for ${interval}: viewers who join see nothing until the next one, and others may freeze.`
    : `They come up to ${interval} apart, so viewers start late and lag.`;
}
