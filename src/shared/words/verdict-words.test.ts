import { expect, test } from 'vitest';
import type { VerdictCode, VerdictOf } from '../model/verdict.ts';
import { describeVerdict } from './verdict-words.ts';

const at = (hours: number, minutes: number) => new Date(2030, 0, 1, hours, minutes).getTime();
const ifOnlyYou = 'If only you see it, close other programs on this computer, or choose a smaller quality in the monitor.';
const ifOnlyThere = 'If only that page sees it, look at its computer and its network.';
const lowerBitrate = 'If viewers see it too, lower the bitrate: in OBS, Settings → Output → Bitrate.';

/** Every verdict, with its title and its sentence. */
const words: { [Code in VerdictCode]: [VerdictOf<Code>, string, string | undefined][] } = {
  good: [[{ code: 'good', severity: 'good' }, 'All good', undefined]],
  'go-live-failed': [
    [
      { code: 'go-live-failed', severity: 'bad', failure: { code: 'file-gone' } },
      'Go live failed',
      'The file is not there any more; choose it again.',
    ],
  ],
  'ingest-retry': [
    [
      { code: 'ingest-retry', severity: 'bad' },
      'Reconnecting to the ingest',
      'Tallylight keeps trying. If that does not help, stop and go live again.',
    ],
  ],
  'encoder-back': [
    [
      { code: 'encoder-back', severity: 'warn' },
      'The encoder is back',
      'It is sending again. Viewers will see it in a moment.',
    ],
  ],
  'encoder-gone': [
    [
      { code: 'encoder-gone', severity: 'bad', isOwn: false },
      'The encoder is gone',
      'Check the encoder and its network. The broadcast continues when it is back.',
    ],
    [
      { code: 'encoder-gone', severity: 'bad', isOwn: true },
      'The encoder is gone',
      'Tallylight is restarting it. The broadcast continues when it is back.',
    ],
  ],
  'nothing-arrives': [
    [
      { code: 'nothing-arrives', severity: 'bad', isBack: false },
      'Nothing arrives',
      'The encoder is connected but sends nothing. Check the encoder and its network.',
    ],
    [
      { code: 'nothing-arrives', severity: 'bad', isBack: true },
      'Nothing arrives',
      'The encoder is connected again but sends nothing. Check the encoder and its network.',
    ],
  ],
  slept: [
    [
      { code: 'slept', severity: 'warn', sleep: { kind: 'slept', from: at(10, 0), to: at(10, 25) } },
      'The computer slept',
      'The computer slept from 10:00:00 to 10:25:00. Viewers had nothing new meanwhile.',
    ],
    [
      { code: 'slept', severity: 'warn', sleep: { kind: 'held', from: at(10, 0), to: at(10, 1) } },
      'Tallylight stood still',
      'Tallylight stood still from 10:00:00 to 10:01:00: the computer slept, or held it up. Viewers had nothing new meanwhile.',
    ],
  ],
  'encoders-take-turns': [
    [
      { code: 'encoders-take-turns', severity: 'bad' },
      'Two encoders take turns',
      'Both send with this stream key and reconnect by themselves: viewers see one, then the other. Stop one of them, or give the stream a new key.',
    ],
  ],
  'encode-slow': [
    [
      { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: false },
      'This computer encodes too slowly',
      'It encodes at 0.80 × real time, so viewers stall. To fix it, close other programs.',
    ],
    [
      { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: true, remedy: 'fewer-renditions' },
      'This computer encodes too slowly',
      'It encodes at 0.80 × real time, so viewers stall. To fix it, close other programs, or choose a smaller picture, or make fewer renditions.',
    ],
  ],
  'upload-slow': [
    [
      { code: 'upload-slow', severity: 'bad', queueMs: 712.4, droppedFrames: 4 },
      'The upload is too slow',
      '712 ms of media wait to be sent, and 4 frames were dropped. If this lasts, choose a smaller picture.',
    ],
  ],
  'upload-tight': [
    [
      { code: 'upload-tight', severity: 'warn', queueMs: 205, droppedFrames: 0 },
      'The upload is tight',
      '205 ms of media wait to be sent. If this lasts, choose a smaller picture.',
    ],
  ],
  'no-sound': [
    [
      { code: 'no-sound', severity: 'bad', from: 'encoder' },
      'No sound arrives',
      'The encoder sends only its picture, and viewers hear silence. Look at its sound. In OBS, look at the Audio Mixer, and at Settings → Audio.',
    ],
    [
      { code: 'no-sound', severity: 'warn', from: 'file' },
      "The file's sound has ended",
      'Its picture is longer: viewers hear silence until the file starts again.',
    ],
  ],
  'no-picture': [
    [
      { code: 'no-picture', severity: 'bad', from: 'encoder' },
      'No picture arrives',
      'The encoder sends only its sound, and viewers see a still picture. Look at its video. In OBS, choose another Video Encoder in Settings → Output.',
    ],
    [
      { code: 'no-picture', severity: 'warn', from: 'file' },
      "The file's picture has ended",
      'Its sound is longer: viewers see the last picture until the file starts again.',
    ],
  ],
  'never-sound': [
    [
      { code: 'never-sound', severity: 'warn', from: 'encoder' },
      'Viewers hear nothing',
      'The encoder sends no sound at all. Choose an audio track and an audio source in the encoder. In OBS, check the Audio Mixer and Settings → Output → Audio Track.',
    ],
    [
      { code: 'never-sound', severity: 'warn', from: 'file' },
      'Viewers hear nothing',
      'The file has no sound. Choose one with sound if viewers should hear something.',
    ],
  ],
  'frames-missing': [
    [
      { code: 'frames-missing', severity: 'warn', fps: 28, nominalFps: 29.97, from: 'encoder' },
      'Frames are missing',
      '28.0 of 29.97 frames per second arrive: the encoder is overloaded. Lower its picture size or frame rate. In OBS, lower Output (Scaled) Resolution or Common FPS Values in Settings → Video.',
    ],
    [
      { code: 'frames-missing', severity: 'bad', fps: 20, nominalFps: 30, from: 'one-click' },
      'Frames are missing',
      '20.0 of 30 frames per second arrive: the encoder is overloaded. Close other programs, or choose a smaller picture.',
    ],
  ],
  'renditions-shed': [
    [
      { code: 'renditions-shed', severity: 'warn', names: ['720p'], remedy: 'fewer-renditions' },
      'A rendition is left out',
      'This computer cannot keep up with 720p. Viewers still get everything else. Close other programs: what is left out comes back by itself when there is room.',
    ],
    [
      { code: 'renditions-shed', severity: 'warn', names: ['720p', '480p'] },
      '2 renditions are left out',
      'This computer cannot keep up with 720p, 480p. Viewers still get everything else. Close other programs: what is left out comes back by itself when there is room.',
    ],
  ],
  'no-renditions': [
    [
      { code: 'no-renditions', severity: 'warn' },
      'There are no renditions',
      'Viewers get only the source; “What happened” says why. To try again, stop and go live again.',
    ],
  ],
  'keyframes-far': [
    [
      { code: 'keyframes-far', severity: 'warn', intervalSeconds: 8.33 },
      'Keyframes are far apart',
      'One every 8.3 s makes viewers start late and lag. In OBS, open Settings → Output → Output mode: Advanced and set Keyframe Interval to 1 s.',
    ],
  ],
  'play-failed': [
    [
      { code: 'play-failed', severity: 'bad', monitor: 'own', forEveryone: 'lower-bitrate' },
      'Your monitor does not play',
      `It cannot play the stream, so you do not see what viewers see. It keeps trying. ${lowerBitrate} ${ifOnlyYou}`,
    ],
    [
      { code: 'play-failed', severity: 'bad', monitor: 'other-page', forEveryone: 'lower-bitrate' },
      'A monitor on another page does not play',
      `It cannot play the stream. ${lowerBitrate} ${ifOnlyThere}`,
    ],
  ],
  'play-stalls': [
    [
      { code: 'play-stalls', severity: 'bad', monitor: 'own', stall: { kind: 'frozen' }, forEveryone: 'lower-bitrate' },
      'Your monitor stalls',
      `Its picture is frozen. ${lowerBitrate} ${ifOnlyYou}`,
    ],
    [
      {
        code: 'play-stalls',
        severity: 'bad',
        monitor: 'any-page',
        stall: { kind: 'no-picture' },
        forEveryone: 'smaller-picture',
      },
      'A monitor stalls',
      `No picture has reached it. If viewers see it too, choose a smaller picture. ${ifOnlyThere}`,
    ],
    [
      {
        code: 'play-stalls',
        severity: 'warn',
        monitor: 'other-page',
        forEveryone: 'check-network',
        stall: { kind: 'repeated', count: 2, seconds: 3.2 },
      },
      'A monitor on another page stalls',
      `It stalled twice in the last minute, 3.2 s in all. If viewers see it too, look at this computer's network. ${ifOnlyThere}`,
    ],
    [
      {
        code: 'play-stalls',
        severity: 'warn',
        monitor: 'own',
        forEveryone: 'lower-bitrate',
        stall: { kind: 'repeated', count: 1, seconds: 5 },
      },
      'Your monitor stalls',
      `It stalled once in the last minute, 5.0 s in all. ${lowerBitrate} ${ifOnlyYou}`,
    ],
  ],
  'play-drops': [
    [
      { code: 'play-drops', severity: 'warn', monitor: 'own', ratio: 0.1 },
      'Your monitor drops frames',
      `10 % of the last minute's frames came too late to be shown, so its picture stutters. If viewers see it too, lower the frame rate or the picture size. ${ifOnlyYou}`,
    ],
  ],
  'play-behind': [
    [
      { code: 'play-behind', severity: 'warn', monitor: 'own', forEveryone: 'lower-bitrate' },
      'Your monitor is far behind',
      `It shows what was sent long ago. Reload this page to catch up. ${lowerBitrate} ${ifOnlyYou}`,
    ],
    [
      { code: 'play-behind', severity: 'bad', monitor: 'any-page', forEveryone: 'lower-bitrate' },
      'A monitor is far behind',
      `It shows what was sent long ago. ${lowerBitrate} ${ifOnlyThere}`,
    ],
  ],
};

test.each(Object.values(words).flat())('the words of %j', (verdict, title, sentence) => {
  expect(describeVerdict(verdict)).toEqual(sentence === undefined ? { title } : { title, sentence });
});
