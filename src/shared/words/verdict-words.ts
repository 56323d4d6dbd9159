import { assertNever } from '../assert-never.ts';
import type { ForEveryone, MonitorOwner, Verdict, VerdictOf } from '../model/verdict.ts';
import { describeFailure } from './failure-words.ts';
import { formatPercent, formatSeconds, formatTimes } from './quantities.ts';
import { describeSleep } from './sleep-words.ts';

/** A verdict in words: what it is about, which stays the same while its numbers change, and what to know and do. */
export interface VerdictWords {
  title: string;
  sentence?: string;
}

/** What a verdict says to a person. */
export function describeVerdict(verdict: Verdict): VerdictWords {
  switch (verdict.code) {
    case 'good':
      return { title: 'All good' };
    case 'go-live-failed':
      return { title: 'Go live failed', sentence: describeFailure(verdict.failure) };
    case 'ingest-retry':
      return {
        title: 'Reconnecting to the ingest',
        sentence: 'Tallylight keeps trying. If that does not help, stop and go live again.',
      };
    case 'encoder-back':
      return { title: 'The encoder is back', sentence: 'It is sending again. Viewers will see it in a moment.' };
    case 'encoder-gone': {
      // For how long it has been gone is said by the large word, what viewers see by the monitor.
      const todo = verdict.isOwn ? 'Tallylight is restarting it.' : 'Check the encoder and its network.';
      return { title: 'The encoder is gone', sentence: `${todo} The broadcast continues when it is back.` };
    }
    case 'nothing-arrives':
      return {
        title: 'Nothing arrives',
        sentence: `The encoder is connected${verdict.isBack ? ' again' : ''} but sends nothing. Check the encoder and its network.`,
      };
    case 'slept':
      return {
        title: verdict.sleep.kind === 'slept' ? 'The computer slept' : 'Tallylight stood still',
        sentence: describeSleep(verdict.sleep),
      };
    case 'encoders-take-turns':
      return {
        title: 'Two encoders take turns',
        sentence:
          'Both send with this stream key and reconnect by themselves: viewers see one, then the other. Stop one of them, or give the stream a new key.',
      };
    case 'encode-slow':
      return { title: 'This computer encodes too slowly', sentence: adviseSlowEncode(verdict) };
    case 'upload-slow':
      return { title: 'The upload is too slow', sentence: describeQueue(verdict) };
    case 'upload-tight':
      return { title: 'The upload is tight', sentence: describeQueue(verdict) };
    case 'no-sound':
      return lostSound[verdict.from];
    case 'no-picture':
      return lostPicture[verdict.from];
    case 'never-sound':
      return { title: 'Viewers hear nothing', sentence: neverSound[verdict.from] };
    case 'frames-missing':
      return { title: 'Frames are missing', sentence: describeMissingFrames(verdict) };
    case 'renditions-shed':
      return describeShed(verdict);
    case 'no-renditions':
      return {
        title: 'There are no renditions',
        sentence: 'Viewers get only the source; “What happened” says why. To try again, stop and go live again.',
      };
    case 'keyframes-far':
      return {
        title: 'Keyframes are far apart',
        sentence: `One every ${formatSeconds(verdict.intervalSeconds)} makes viewers start late and lag. In OBS, open Settings → Output → Output mode: Advanced and set Keyframe Interval to 1 s.`,
      };
    case 'play-failed': {
      const unseen = verdict.monitor === 'own' ? ', so you do not see what viewers see. It keeps trying' : '';
      return {
        title: `${monitorNames[verdict.monitor]} does not play`,
        sentence: `It cannot play the stream${unseen}. ${advise(verdict)}`,
      };
    }
    case 'play-stalls':
      return {
        title: `${monitorNames[verdict.monitor]} stalls`,
        sentence: `${describeStall(verdict.stall)} ${advise(verdict)}`,
      };
    case 'play-drops':
      return {
        title: `${monitorNames[verdict.monitor]} drops frames`,
        sentence: `${formatPercent(verdict.ratio)} of the last minute's frames came too late to be shown, so its picture stutters. If viewers see it too, lower the frame rate or the picture size. ${adviseOne(verdict.monitor)}`,
      };
    case 'play-behind': {
      // How far is said by the stage.
      const reload = verdict.monitor === 'own' ? ' Reload this page to catch up.' : '';
      return {
        title: `${monitorNames[verdict.monitor]} is far behind`,
        sentence: `It shows what was sent long ago.${reload} ${advise(verdict)}`,
      };
    }
    default:
      return assertNever(verdict);
  }
}

const lostSound: Readonly<Record<'encoder' | 'file', VerdictWords>> = {
  encoder: {
    title: 'No sound arrives',
    sentence:
      'The encoder sends only its picture, and viewers hear silence. Look at its sound. In OBS, look at the Audio Mixer, and at Settings → Audio.',
  },
  file: {
    title: "The file's sound has ended",
    sentence: 'Its picture is longer: viewers hear silence until the file starts again.',
  },
};

const lostPicture: Readonly<Record<'encoder' | 'file', VerdictWords>> = {
  encoder: {
    title: 'No picture arrives',
    sentence:
      'The encoder sends only its sound, and viewers see a still picture. Look at its video. In OBS, choose another Video Encoder in Settings → Output.',
  },
  file: {
    title: "The file's picture has ended",
    sentence: 'Its sound is longer: viewers see the last picture until the file starts again.',
  },
};

const neverSound: Readonly<Record<'encoder' | 'file', string>> = {
  encoder:
    'The encoder sends no sound at all. Choose an audio track and an audio source in the encoder. In OBS, check the Audio Mixer and Settings → Output → Audio Track.',
  file: 'The file has no sound. Choose one with sound if viewers should hear something.',
};

const monitorNames: Readonly<Record<MonitorOwner, string>> = {
  own: 'Your monitor',
  'other-page': 'A monitor on another page',
  'any-page': 'A monitor',
};

const adviceForEveryone: Readonly<Record<ForEveryone, string>> = {
  'lower-bitrate': 'lower the bitrate: in OBS, Settings → Output → Bitrate',
  'smaller-picture': 'choose a smaller picture',
  'check-network': "look at this computer's network",
};

function adviseSlowEncode({ speed, canShrink, remedy }: VerdictOf<'encode-slow'>): string {
  const remedies = [
    'close other programs',
    ...(canShrink ? ['choose a smaller picture'] : []),
    ...(remedy === undefined ? [] : ['make fewer renditions']),
  ];
  return `It encodes at ${speed.toFixed(2)} × real time, so viewers stall. To fix it, ${remedies.join(', or ')}.`;
}

function describeQueue({ queueMs, droppedFrames }: VerdictOf<'upload-slow' | 'upload-tight'>): string {
  const dropped = droppedFrames > 0 ? `, and ${droppedFrames} frames were dropped` : '';
  return `${Math.round(queueMs)} ms of media wait to be sent${dropped}. If this lasts, choose a smaller picture.`;
}

function describeMissingFrames({ fps, nominalFps, from }: VerdictOf<'frames-missing'>): string {
  const todo =
    from === 'one-click'
      ? 'Close other programs, or choose a smaller picture.'
      : 'Lower its picture size or frame rate. In OBS, lower Output (Scaled) Resolution or Common FPS Values in Settings → Video.';
  return `${fps.toFixed(1)} of ${Number(nominalFps.toFixed(2))} frames per second arrive: the encoder is overloaded. ${todo}`;
}

function describeShed({ names }: VerdictOf<'renditions-shed'>): VerdictWords {
  return {
    title: names.length === 1 ? 'A rendition is left out' : `${names.length} renditions are left out`,
    sentence: `This computer cannot keep up with ${names.join(', ')}. Viewers still get everything else. Close other programs: what is left out comes back by itself when there is room.`,
  };
}

/** For how long a picture stands still now is said by the stage. */
function describeStall(stall: VerdictOf<'play-stalls'>['stall']): string {
  switch (stall.kind) {
    case 'no-picture':
      return 'No picture has reached it.';
    case 'frozen':
      return 'Its picture is frozen.';
    case 'repeated':
      return `It stalled ${formatTimes(stall.count)} in the last minute, ${formatSeconds(stall.seconds)} in all.`;
    default:
      return assertNever(stall);
  }
}

function advise({ monitor, forEveryone }: { monitor: MonitorOwner; forEveryone: ForEveryone }): string {
  return `If viewers see it too, ${adviceForEveryone[forEveryone]}. ${adviseOne(monitor)}`;
}

function adviseOne(monitor: MonitorOwner): string {
  return monitor === 'own'
    ? 'If only you see it, close other programs on this computer, or choose a smaller quality in the monitor.'
    : 'If only that page sees it, look at its computer and its network.';
}
