import { assertNever } from '../assert-never.ts';
import { formatCount } from '../format-count.ts';
import type { RemoteFailure } from '../model/remote-failure.ts';
import type { ForEveryone, MonitorOwner, Verdict, VerdictOf } from '../model/verdict.ts';
import { withUnit } from '../with-unit.ts';
import { capitalise, chooseLess, mediaIsBack, usualCodecs } from './advice-words.ts';
import { describeAwayPart } from './capture-words.ts';
import { describeFailure } from './failure-words.ts';
import { formatFrames, formatPercent, formatSeconds, formatTimes } from './quantities.ts';
import { formatRegion } from './region-name.ts';
import { describeRemoteFailure } from './remote-failure-words.ts';
import { describeSleep } from './sleep-words.ts';
import { describeSound } from './sound-words.ts';

/** A verdict in words: a title, which stays the same while its numbers change, and what to know and do. */
export interface VerdictWords {
  title: string;
  sentence?: string;
}

/** Only a verdict's title. */
export function titleOf(verdict: Verdict): string {
  // No title has a time.
  return describeVerdict(verdict, 0).title;
}

/**
 * A verdict as people read it.
 *
 * @param clockOffsetMs how far the service's clock is ahead of the reader's
 */
export function describeVerdict(verdict: Verdict, clockOffsetMs: number): VerdictWords {
  switch (verdict.code) {
    case 'good':
      return { title: 'All good' };
    case 'go-live-failed':
      return { title: 'Go live failed', sentence: describeFailure(verdict.failure) };
    case 'ingest-retry':
      return {
        title: verdict.hasBeenLive ? 'Reconnecting to the ingest' : "Can't connect to the ingest",
        sentence: "Tallylight keeps trying. If that doesn't help, stop and go live again.",
      };
    case 'encoder-back':
      return verdict.isElsewhere
        ? { title: mediaIsBack.elsewhere, sentence: 'Viewers will see it in a moment.' }
        : { title: mediaIsBack.here, sentence: "It's connected again. Viewers will see it in a moment." };
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
      return { title: "What arrives can't be played", sentence: adviseUnplayable(verdict) };
    case 'region-stopped':
      return {
        title: `Viewers get nothing new from ${formatRegion(verdict.region)}`,
        sentence: `Its ingest takes your media, but its playlist has stopped. ${
          verdict.ofService
            ? 'Check the service. If this lasts, stop and go live again.'
            : 'Check Tallylight there. If this lasts, choose another region and go live again.'
        }`,
      };
    case 'region-unseen':
      return {
        title: `Can't tell whether ${formatRegion(verdict.region)} plays it`,
        sentence: `Its ingest takes your media, but its playlist can't be read from here: viewers may see you all the same. ${
          verdict.ofService
            ? 'Check the service, or stop and go live again.'
            : 'Check Tallylight there, or stop and choose another region.'
        }`,
      };
    case 'slept':
      return {
        title: verdict.sleep.kind === 'slept' ? 'The computer slept' : 'Tallylight was frozen',
        sentence: describeSleep(verdict.sleep, clockOffsetMs),
      };
    case 'encoders-take-turns':
      return {
        title: 'Two encoders use the same key',
        sentence:
          'Both keep reconnecting with this stream key, and each replaces the other. Stop one, or give the stream a new key.',
      };
    case 'encode-slow':
      return { title: "This computer can't encode in real time", sentence: adviseSlowEncode(verdict) };
    case 'upload-slow':
      return { title: 'Upload is too slow', sentence: describeQueue(verdict) };
    case 'upload-dropped':
      return {
        title: 'Viewers missed some frames',
        sentence: `${tellDropped(verdict.droppedFrames)}, because the upload was too slow. It is keeping up again. If this happens again, ${chooseLess}.`,
      };
    case 'upload-tight':
      return { title: 'Upload is barely keeping up', sentence: describeQueue(verdict) };
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
    case 'source-away':
    case 'device-drifts':
      return describeAwayPart(verdict.away, { isOnAir: true });
    case 'silent':
    case 'inverted':
    case 'one-sided':
    case 'clipping':
    case 'loudness-off':
    case 'sound-drifts':
      return describeSound(verdict);
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
    case 'renditions-shed':
      return describeShed(verdict);
    case 'no-renditions':
      return { title: 'No renditions', sentence: adviseWithoutRenditions(verdict) };
    case 'keyframes-far':
      return {
        title: 'Keyframes are too far apart',
        sentence: `${describeKeyframes(verdict)} ${adviceForKeyframes}`,
      };
    case 'service-stalled':
      return {
        title: 'The service gets nothing new',
        sentence:
          'Its ingest takes your media, but its counters have stopped. If the monitor has stopped too, stop and go live again.',
      };
    case 'service-silent': {
      const media = verdict.isSending
        ? 'Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.'
        : 'The stream is shown as last known.';
      return {
        title: nameSilence(verdict.failure),
        sentence: `${describeRemoteFailure(verdict.failure, { wasFine: true })} ${media}`,
      };
    }
    case 'service-inactive':
      return {
        title: "The service doesn't show the stream as active",
        sentence: `Its ingest has taken your media for ${formatSeconds(verdict.forMs / 1000)}. If the monitor stays empty, stop and go live again.`,
      };
    case 'renditions-behind':
      return {
        title: 'The service makes too few renditions',
        sentence: `It made ${verdict.made} of the last ${verdict.expected} segments. Viewers still get the source. If this lasts, use fewer or smaller renditions.`,
      };
    case 'play-resumes':
      return { title: 'Your monitor is catching up', sentence: 'Media arrives. Its picture will follow in a moment.' };
    case 'play-failed': {
      const unseen = verdict.monitor === 'own' ? ", so you don't see what viewers see. It keeps trying" : '';
      return {
        title: `${monitorNames[verdict.monitor]} isn't playing`,
        sentence: `It can't play the stream${unseen}. ${advise(verdict)}`,
      };
    }
    case 'play-stalls':
      return {
        title: `${monitorNames[verdict.monitor]} ${verdict.stall.kind === 'repeated' ? 'has stalled' : 'is stalling'}`,
        sentence: `${describeStall(verdict.stall)} ${advise(verdict)}`,
      };
    case 'play-drops':
      return {
        title: `${monitorNames[verdict.monitor]} is dropping frames`,
        sentence: `${formatPercent(verdict.ratio)} of the last minute's frames came too late to show, so its picture stutters. If viewers see it too, lower the frame rate or resolution. ${adviseOne(verdict.monitor)}`,
      };
    case 'play-behind': {
      // The stage says how far.
      const reload = verdict.monitor === 'own' ? ' Reload this page to catch up.' : '';
      return {
        title: `${monitorNames[verdict.monitor]} is far behind`,
        sentence: `It's showing an old part of the broadcast.${reload} ${advise(verdict)}`,
      };
    }
    default:
      return assertNever(verdict);
  }
}

const monitorNames: Readonly<Record<MonitorOwner, string>> = {
  own: 'Your monitor',
  'other-page': 'A monitor on another page',
  'any-page': 'A monitor',
};

const restartLower = `${capitalise(chooseLess)}.`;

const orLess = `If that doesn't help, ${chooseLess}.`;

const adviceForEveryone: Readonly<Record<ForEveryone, string>> = {
  'lower-bitrate': 'lower the bitrate (in OBS: Settings → Output → Bitrate)',
  'usual-codecs': usualCodecs,
  'smaller-picture': chooseLess,
  'check-network': "check this computer's network",
};

function nameSilence({ code }: RemoteFailure): string {
  if (code === 'key-refused' || code === 'key-lost') return "The service's API key doesn't work any more";
  if (code === 'too-many-requests') return 'The service asks for a pause';
  if (code === 'no-such-stream') return 'The service has no such stream any more';
  return unusableAnswers.has(code) ? "The service's answers can't be used" : "The service doesn't answer";
}

/** Something answers, but not as the interface says. An error of the service itself (5xx) is no answer to what was asked. */
const unusableAnswers: ReadonlySet<RemoteFailure['code']> = new Set<RemoteFailure['code']>([
  'not-http',
  'redirected',
  'not-offered',
  'refused',
  'not-json',
  'too-large',
  'nonsense',
  'no-ingest',
]);

function describeKeyframes({ isOverdue, intervalSeconds }: VerdictOf<'keyframes-far'>): string {
  const interval = formatSeconds(intervalSeconds);
  return isOverdue
    ? `No keyframe for ${interval}: viewers who join see nothing until the next one, and others may freeze.`
    : `They come up to ${interval} apart, so viewers start late and lag.`;
}

/** How to get keyframes often enough. */
export const adviceForKeyframes =
  'In OBS, open Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\u00a0s.';
const restartWithKeyframes = `Restart it. ${adviceForKeyframes}`;

const restartsOwn = 'Tallylight keeps restarting it; “What happened” says why.';

function describeNoPicture({ isOwn, isWithoutKeyframe }: VerdictOf<'no-picture'>): string {
  if (isOwn) return `ffmpeg isn't encoding the picture, so viewers see a still one. ${restartsOwn}`;
  return isWithoutKeyframe
    ? `The encoder sends video without keyframes, so viewers see a still picture or none. ${restartWithKeyframes}`
    : 'The encoder sends only sound, so viewers see a still picture or none. Check its video. In OBS, choose another Video Encoder in Settings → Output.';
}

function adviseUnplayable({ why }: VerdictOf<'nothing-plays'>): string {
  switch (why) {
    case 'no-keyframe':
      return `The encoder is sending video without keyframes, so viewers see nothing new. ${restartWithKeyframes}`;
    case 'unusable':
      return 'The encoder is sending, but viewers see nothing new. Restart the encoder.';
  }
}

function adviseSlowEncode({ speed, canShrink, remedy }: VerdictOf<'encode-slow'>): string {
  const todo = `Close other programs${remedy === undefined ? '' : ' or turn off a rendition'}.`;
  return `It encodes at ${speed.toFixed(2)} × real time, so viewers see it stutter. ${todo}${canShrink ? ` ${orLess}` : ''}`;
}

function describeQueue({ queueMs, droppedFrames, ...bitrate }: VerdictOf<'upload-slow' | 'upload-tight'>): string {
  const dropped = droppedFrames > 0 ? `, and ${tellDropped(droppedFrames)}` : '';
  return `${withUnit(Math.round(queueMs), 'ms')} of media is waiting to be sent${dropped}. ${adviseOnBitrate(bitrate)}`;
}

function adviseOnBitrate({ isLowest, isKept }: Pick<VerdictOf<'upload-slow'>, 'isLowest' | 'isKept'>): string {
  if (isLowest) return `The bitrate is already as low as it gets. ${restartLower}`;
  return isKept
    ? `The encoder's bitrate can't be lowered here. ${restartLower}`
    : `The bitrate is lowered to what gets through; if this lasts, ${chooseLess}.`;
}

function tellDropped(frames: number): string {
  return `${formatFrames(frames)} ${frames === 1 ? 'was' : 'were'} dropped in the last minute`;
}

const easeOwnEncoder = `Close other programs. ${orLess}`;

function describeMissingFrames({ fps, nominalFps, from }: VerdictOf<'frames-missing'>): string {
  // An encoder elsewhere drops frames that its connection has no room for; most repeat a frame that they have no time for.
  const todo =
    from === 'one-click'
      ? `the encoder is overloaded. ${easeOwnEncoder}`
      : 'the encoder drops the others, mostly because its connection is too slow. Lower its bitrate (in OBS: Settings → Output → Bitrate), or use a wired connection. If it is overloaded, lower its resolution or frame rate.';
  return `Only ${fps.toFixed(1)} of ${formatRate(nominalFps)} frames per second arrive: ${todo}`;
}

/** An encoder that drops every other frame looks the same. */
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
  return `Only ${withUnit((10 * pace).toFixed(1), 's')} of it arrive in 10 s, so viewers stall: the encoder is too slow, or its connection is. ${todo}`;
}

function describeFastArrival({ pace }: VerdictOf<'arrives-fast'>): string {
  const speed = pace < 10 ? pace.toFixed(2) : formatCount(pace);
  return `The encoder sends at ${speed} × real time, so viewers can't keep up. With ffmpeg, put -re in front of -i.`;
}

function describePauses({ count, seconds, from }: VerdictOf<'arrives-with-pauses'>): string {
  const todo =
    from === 'one-click'
      ? easeOwnEncoder
      : "The encoder, its network or this computer can't keep up. Lower the encoder's bitrate (in OBS: Settings → Output → Bitrate), or use a wired connection.";
  return `It paused ${formatTimes(count)} in the last minute, ${formatSeconds(seconds)} in total, so viewers stall. ${todo}`;
}

function describeLosses({ count, seconds, from }: VerdictOf<'arrives-with-pauses'>): string {
  const todo = from === 'one-click' ? "Check this computer's network." : 'Check the encoder and its network.';
  return `It was gone ${formatTimes(count)} in the last minute, ${formatSeconds(seconds)} in total. ${todo}`;
}

function describeShed({ names, remedy }: VerdictOf<'renditions-shed'>): VerdictWords {
  const todo = remedy === undefined ? 'Close other programs' : 'Close other programs or turn off another rendition';
  return {
    title: names.length === 1 ? 'A rendition is paused' : `${names.length} renditions are paused`,
    sentence: `This computer can't keep up with ${names.join(', ')}. Viewers still get everything else. ${todo}; ${names.length === 1 ? 'it resumes' : 'they resume'} when there is room.`,
  };
}

function adviseWithoutRenditions({ isResting }: VerdictOf<'no-renditions'>): string {
  const next = isResting
    ? 'Tallylight tries again within minutes.'
    : "Once the reason is gone, they begin automatically. If they don't, stop and go live again.";
  return `Viewers get only the source. “What happened” says why. ${next}`;
}

/** How long the picture has been frozen is shown by the stage. */
function describeStall(stall: VerdictOf<'play-stalls'>['stall']): string {
  switch (stall.kind) {
    case 'no-picture':
      return "It hasn't received a picture.";
    case 'frozen':
      return 'Its picture is frozen.';
    case 'repeated':
      return `It stalled ${formatTimes(stall.count)} in the last minute, ${formatSeconds(stall.seconds)} in total.`;
    default:
      return assertNever(stall);
  }
}

function advise({ monitor, forEveryone }: { monitor: MonitorOwner; forEveryone: ForEveryone }): string {
  return `If viewers see it too, ${adviceForEveryone[forEveryone]}. ${adviseOne(monitor)}`;
}

function adviseOne(monitor: MonitorOwner): string {
  return monitor === 'own'
    ? 'If only you see it, close other programs on this computer or choose a lower quality in the monitor.'
    : 'If only that page sees it, check its computer and network.';
}
