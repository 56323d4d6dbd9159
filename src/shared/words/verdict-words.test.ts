import { expect, test } from 'vitest';
import type { VerdictCode, VerdictOf } from '../model/verdict.ts';
import { describeLogEvent } from './log-words.ts';
import { describeVerdict } from './verdict-words.ts';

const at = (hours: number, minutes: number) => new Date(2030, 0, 1, hours, minutes).getTime();
const ifOnlyYou = 'If only you see it, close other programs on this computer or choose a lower quality in the monitor.';
const ifOnlyThere = 'If only that page sees it, check its computer and network.';
const usualCodecs =
  'If viewers see it too, choose H.264 and AAC in the encoder (in OBS: Settings → Output → Video Encoder and Audio Encoder).';
const lowerBitrate = 'If viewers see it too, lower the bitrate (in OBS: Settings → Output → Bitrate).';

/** Every verdict, with its title and sentence. */
const words: { [Code in VerdictCode]: [VerdictOf<Code>, string, string | undefined][] } = {
  good: [[{ code: 'good', severity: 'good' }, 'All good', undefined]],
  'go-live-failed': [
    [
      { code: 'go-live-failed', severity: 'bad', failure: { code: 'file-gone' } },
      'Go live failed',
      'The file was moved or deleted. Choose it again.',
    ],
  ],
  'ingest-retry': [
    [
      { code: 'ingest-retry', severity: 'bad', hasBeenLive: true },
      'Reconnecting to the ingest',
      "Tallylight keeps trying. If that doesn't help, stop and go live again.",
    ],
    [
      { code: 'ingest-retry', severity: 'bad', hasBeenLive: false },
      "Can't connect to the ingest",
      "Tallylight keeps trying. If that doesn't help, stop and go live again.",
    ],
  ],
  'encoder-back': [
    [
      { code: 'encoder-back', severity: 'warn' },
      'The encoder is back',
      "It's connected again. Viewers will see it in a moment.",
    ],
    [
      { code: 'encoder-back', severity: 'warn', isOwn: true },
      'The ingest takes your media again',
      'Viewers will see it in a moment.',
    ],
  ],
  'encoder-gone': [
    [
      { code: 'encoder-gone', severity: 'bad', isOwn: false },
      'Encoder lost',
      'Check the encoder and its network. The broadcast continues as soon as it is back.',
    ],
    [
      { code: 'encoder-gone', severity: 'bad', isOwn: false, isKeyRenewed: true },
      'Encoder lost',
      'The stream has a new stream key: copy it into the encoder, and start it again. The broadcast continues as soon as it is back.',
    ],
    [
      { code: 'encoder-gone', severity: 'bad', isOwn: true },
      'Encoder lost',
      'Tallylight is bringing it back. The broadcast continues as soon as it is back.',
    ],
  ],
  'nothing-arrives': [
    [
      { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: false },
      'No media arriving',
      "The encoder is connected but isn't sending anything. Check the encoder and its network.",
    ],
    [
      { code: 'nothing-arrives', severity: 'bad', isBack: true, isOwn: false },
      'No media arriving',
      "The encoder is connected again but isn't sending anything. Check the encoder and its network.",
    ],
    [
      { code: 'nothing-arrives', severity: 'bad', isBack: false, isOwn: true },
      'No media arriving',
      'Nothing reaches the ingest from this computer. Tallylight restarts the connection or the encoder within seconds.',
    ],
  ],
  'nothing-plays': [
    [
      { code: 'nothing-plays', severity: 'bad', why: 'no-keyframe', isBack: false },
      "Incoming media can't be played",
      'The encoder is sending video without keyframes, so viewers see nothing new. Restart it. In OBS, open Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\u00a0s.',
    ],
    [
      { code: 'nothing-plays', severity: 'bad', why: 'unusable', isBack: true },
      "Incoming media can't be played",
      'The encoder is sending, but viewers see nothing new. Restart the encoder.',
    ],
  ],
  slept: [
    [
      { code: 'slept', severity: 'warn', sleep: { kind: 'slept', from: at(10, 0), to: at(10, 25) } },
      'The computer slept',
      'The computer slept from 10:00:00 to 10:25:00. Viewers got nothing new during that time.',
    ],
    [
      { code: 'slept', severity: 'warn', sleep: { kind: 'held', from: at(10, 0), to: at(10, 1) } },
      'Tallylight was frozen',
      'Tallylight was frozen from 10:00:00 to 10:01:00: the computer slept or stopped it. Viewers got nothing new during that time.',
    ],
  ],
  'encoders-take-turns': [
    [
      { code: 'encoders-take-turns', severity: 'bad' },
      'Two encoders use the same key',
      'Both keep reconnecting with this stream key, and each replaces the other. Stop one, or give the stream a new key.',
    ],
  ],
  'encode-slow': [
    [
      { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: false },
      "This computer can't encode in real time",
      'It encodes at 0.80 × real time, so viewers see it stutter. Close other programs.',
    ],
    [
      { code: 'encode-slow', severity: 'bad', speed: 0.8, canShrink: true, remedy: 'fewer-renditions' },
      "This computer can't encode in real time",
      "It encodes at 0.80 × real time, so viewers see it stutter. Close other programs or turn off a rendition. If that doesn't help, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.",
    ],
  ],
  'upload-slow': [
    [
      { code: 'upload-slow', severity: 'bad', queueMs: 712.4, droppedFrames: 4 },
      'Upload is too slow',
      '712\u00a0ms of media is waiting to be sent, and 4 frames were dropped in the last minute. The bitrate is being lowered to fit; if this continues, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.',
    ],
    [
      { code: 'upload-slow', severity: 'bad', queueMs: 712.4, droppedFrames: 0, isLowest: true },
      'Upload is too slow',
      '712\u00a0ms of media is waiting to be sent. The bitrate is already as low as it gets. Stop, choose a lower quality beside the source (Custom goes lowest), and go live again.',
    ],
    [
      { code: 'upload-slow', severity: 'bad', queueMs: 712.4, droppedFrames: 0, isKept: true },
      'Upload is too slow',
      "712\u00a0ms of media is waiting to be sent. The encoder's bitrate can't be lowered here. Stop, choose a lower quality beside the source (Custom goes lowest), and go live again.",
    ],
  ],
  'upload-dropped': [
    [
      { code: 'upload-dropped', severity: 'warn', droppedFrames: 64 },
      'Viewers missed some frames',
      '64 frames were dropped in the last minute, because the upload was too slow. It is keeping up again. If this happens again, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.',
    ],
  ],
  'upload-tight': [
    [
      { code: 'upload-tight', severity: 'warn', queueMs: 205, droppedFrames: 0 },
      'Upload is barely keeping up',
      '205\u00a0ms of media is waiting to be sent. The bitrate is being lowered to fit; if this continues, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.',
    ],
    [
      { code: 'upload-tight', severity: 'warn', queueMs: 205, droppedFrames: 1 },
      'Upload is barely keeping up',
      '205\u00a0ms of media is waiting to be sent, and 1 frame was dropped in the last minute. The bitrate is being lowered to fit; if this continues, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.',
    ],
  ],
  'picture-coarse': [
    [
      { code: 'picture-coarse', severity: 'warn', bitrateBps: 750_000, chosenBps: 6_000_000 },
      'The picture is coarse',
      "Your upload has room for only 750 of 6\u202f000\u00a0kbit/s of video. Use a wired connection or stop other uploads: the bitrate then rises by itself. If that doesn't help, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.",
    ],
  ],
  'no-sound': [
    [
      { code: 'no-sound', severity: 'bad' },
      'No sound from the encoder',
      'The encoder sends only a picture, so viewers hear silence. Check its audio. In OBS, check the Audio Mixer and Settings → Audio.',
    ],
    [
      { code: 'no-sound', severity: 'bad', isOwn: true },
      'No sound from the encoder',
      "ffmpeg isn't encoding the sound, so viewers hear silence. Tallylight keeps restarting it; “What happened” says why.",
    ],
  ],
  'no-picture': [
    [
      { code: 'no-picture', severity: 'bad', isOwn: true },
      'No picture from the encoder',
      "ffmpeg isn't encoding the picture, so viewers see a still one. Tallylight keeps restarting it; “What happened” says why.",
    ],
    [
      { code: 'no-picture', severity: 'bad' },
      'No picture from the encoder',
      'The encoder sends only sound, so viewers see a still picture or none. Check its video. In OBS, choose another Video Encoder in Settings → Output.',
    ],
    [
      { code: 'no-picture', severity: 'bad', isWithoutKeyframe: true },
      'No picture from the encoder',
      'The encoder sends video without keyframes, so viewers see a still picture or none. Restart it. In OBS, open Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\u00a0s.',
    ],
  ],
  'sound-only': [
    [
      { code: 'sound-only', severity: 'good' },
      'Sound only',
      'The encoder sends no video, so viewers hear sound over a black picture. If there should be video, check the encoder.',
    ],
  ],
  'sound-apart': [
    [
      { code: 'sound-apart', severity: 'bad' },
      'Sound and picture are timed apart',
      "The sound's timestamps are too far from the picture's to play both together, so viewers hear nothing. Restart the encoder.",
    ],
  ],
  'never-sound': [
    [
      { code: 'never-sound', severity: 'warn' },
      'Viewers hear nothing',
      'The encoder sends no sound at all. Choose an audio track and an audio source in the encoder. In OBS, check the Audio Mixer and Settings → Output → Audio Track.',
    ],
  ],
  'source-away': [
    [
      {
        code: 'source-away',
        severity: 'bad',
        away: { part: 'picture', kind: 'camera', name: 'Webcam', fault: { code: 'gone' } },
      },
      "“Webcam” isn't connected",
      'Viewers see black. Reconnect it, and Tallylight picks it up automatically.',
    ],
  ],
  silent: [
    [
      { code: 'silent', severity: 'warn', stage: 'encoder', mayBeWithheld: false },
      'Viewers hear nothing',
      'The encoder has sent silence for 10 s or longer. Check that your microphone and your other sources are on and not muted. In OBS, check the Audio Mixer.',
    ],
    [
      { code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: false },
      'Viewers hear nothing',
      'The captured sound has been silent for 10 s or longer. Check that your microphone and your other sources are on, and not muted in Change source or at the device.',
    ],
    [
      { code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: false, isUnchosen: true },
      'Viewers hear nothing',
      'The source has no sound. Add one in Change source.',
    ],
    [
      { code: 'silent', severity: 'warn', stage: 'capture', mayBeWithheld: true },
      'Viewers hear nothing',
      'The captured sound has been silent for 10 s or longer. Check that your microphone and your other sources are on, and not muted in Change source or at the device. If something is playing, your system is blocking its sound: on macOS, allow Tallylight, the terminal that started it, or the browser that captures it, under System Settings → Privacy & Security → Screen & System Audio Recording.',
    ],
  ],
  inverted: [
    [
      { code: 'inverted', severity: 'warn', stage: 'encoder' },
      'One side of the sound is inverted',
      'The encoder sends one side inverted: left and right cancel out on phones and other single loudspeakers, so some viewers hear nothing. Check the cables and adapters of your microphone, or use only one of its two channels.',
    ],
    [
      { code: 'inverted', severity: 'warn', stage: 'capture' },
      'One side of the sound is inverted',
      'The captured sound has one side inverted: left and right cancel out on phones and other single loudspeakers, so some viewers hear nothing. Check the cables and adapters of your microphone, or use only one of its two channels.',
    ],
  ],
  'one-sided': [
    [
      { code: 'one-sided', severity: 'warn', stage: 'encoder', without: 'right' },
      'Sound on one side only',
      'The encoder sends nothing on the right, so viewers hear nothing there. Check the cable of your microphone, or use it as mono. In OBS, tick Mono in Advanced Audio Properties.',
    ],
    [
      { code: 'one-sided', severity: 'warn', stage: 'capture', without: 'left' },
      'Sound on one side only',
      "The captured sound has nothing on the left, so viewers hear nothing there. Check the cable of your microphone, or make it mono in the system's sound settings.",
    ],
  ],
  clipping: [
    [
      { code: 'clipping', severity: 'warn', stage: 'encoder', isLimited: false },
      'The sound is clipping',
      'The encoder sends peaks above 0 dBTP, so the sound distorts. Turn down the microphone, or the source that is too loud. In OBS, keep it out of the red in the Audio Mixer.',
    ],
    [
      { code: 'clipping', severity: 'warn', stage: 'capture', isLimited: true },
      'The sound is clipping',
      '“Keep peaks from clipping” is on, but the mix is so dense that encoding it makes peaks above 0 dBTP, and it distorts. In Change source, turn the loudest sound down by 3 dB or more.',
    ],
    [
      { code: 'clipping', severity: 'warn', stage: 'capture', isLimited: false },
      'The sound is clipping',
      'The captured mix has peaks above 0 dBTP, so it distorts. In Change source, turn down the sound that is too loud, or tick “Keep peaks from clipping”.',
    ],
  ],
  'loudness-off': [
    [
      { code: 'loudness-off', severity: 'warn', stage: 'encoder', loudnessLufs: -25.1, targetLufs: -16 },
      'The sound is too quiet',
      "The encoder's sound averaged −25.1\u00a0LUFS over the last minute. Turn it up by about 9\u00a0dB: viewers expect −16\u00a0LUFS.",
    ],
    [
      { code: 'loudness-off', severity: 'warn', stage: 'capture', loudnessLufs: -8, targetLufs: -16 },
      'The sound is too loud',
      "This computer's sound averaged −8\u00a0LUFS over the last minute. Turn it down by about 8\u00a0dB in Change source: viewers expect −16\u00a0LUFS.",
    ],
  ],
  'sound-drifts': [
    [
      { code: 'sound-drifts', severity: 'warn', driftMs: 120, isOwn: false },
      'Sound and picture drift apart',
      "The encoder's sound has gradually moved 120\u00a0ms behind its picture. Restart the broadcast to resync them. To keep them in sync, use the same sample rate in the encoder and in your sound device, 48 kHz for most. In OBS, see Settings → Audio.",
    ],
    [
      { code: 'sound-drifts', severity: 'warn', driftMs: -85, isOwn: true },
      'Sound and picture drift apart',
      "The encoder's sound has gradually moved 85\u00a0ms ahead of its picture. Stop and go live again to resync them.",
    ],
  ],
  'device-drifts': [
    [
      {
        code: 'device-drifts',
        severity: 'warn',
        away: { part: 'sound', input: 0, kind: 'microphone', name: 'Røde', fault: { code: 'off-clock' } },
      },
      'The clock of “Røde” is off',
      "Its sound stays with the picture, but viewers hear small gaps or jumps. Its clock drifts faster than Tallylight can correct inaudibly. Set the device to 48 kHz in the system's sound settings, or use another.",
    ],
  ],
  'frames-missing': [
    [
      { code: 'frames-missing', severity: 'warn', fps: 28, nominalFps: 29.97, from: 'encoder' },
      'Frames are missing',
      'Only 28.0 of 29.97 frames per second arrive: the encoder drops the others, mostly because its connection is too slow. Lower its bitrate (in OBS: Settings → Output → Bitrate), or use a wired connection. If it is overloaded, lower its resolution or frame rate.',
    ],
    [
      { code: 'frames-missing', severity: 'warn', fps: 15.02, nominalFps: 30, from: 'encoder', isSlower: true },
      'Fewer frames than announced',
      "The encoder announces 30 frames per second and sends 15.0, as phones do in dim light and shared screens while nothing moves. If that's meant, ignore this. If not, the encoder is overloaded or its connection is too slow: lower its resolution or bitrate.",
    ],
    [
      { code: 'frames-missing', severity: 'bad', fps: 30, nominalFps: 30, from: 'encoder', lostRatio: 0.1 },
      'Frames are missing',
      'Frames keep getting lost, 10\u00a0% in the last minute: the encoder drops them, mostly because its connection is too slow. Lower its bitrate (in OBS: Settings → Output → Bitrate), or use a wired connection. If it is overloaded, lower its resolution or frame rate.',
    ],
    [
      { code: 'frames-missing', severity: 'bad', fps: 20, nominalFps: 30, from: 'one-click' },
      'Frames are missing',
      "Only 20.0 of 30 frames per second arrive: the encoder is overloaded. Close other programs. If that doesn't help, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.",
    ],
  ],
  'arrives-slowly': [
    [
      { code: 'arrives-slowly', severity: 'bad', pace: 0.694, from: 'encoder' },
      'Media arrives too slowly',
      'Only 6.9\u00a0s of media arrives every 10 s, so viewers stall: the encoder is too slow, or its connection is. Lower its bitrate, or use a wired connection. If it is overloaded, lower its resolution or frame rate.',
    ],
    [
      { code: 'arrives-slowly', severity: 'warn', pace: 0.9, from: 'one-click' },
      'Media arrives too slowly',
      "Only 9.0\u00a0s of media arrives every 10 s, so viewers stall: the encoder is too slow, or its connection is. Close other programs. If that doesn't help, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.",
    ],
  ],
  'arrives-fast': [
    [
      { code: 'arrives-fast', severity: 'warn', pace: 1.104 },
      'Media arrives too fast',
      "The encoder sends at 1.10 × real time, so viewers can't keep up. With ffmpeg, put -re in front of -i.",
    ],
    [
      { code: 'arrives-fast', severity: 'bad', pace: 1512.4 },
      'Media arrives too fast',
      "The encoder sends at 1\u202f512 × real time, so viewers can't keep up. With ffmpeg, put -re in front of -i.",
    ],
  ],
  'arrives-with-pauses': [
    [
      { code: 'arrives-with-pauses', severity: 'warn', count: 2, seconds: 3.24, from: 'encoder' },
      'Media keeps pausing',
      "It paused twice in the last minute, 3.2\u00a0s in total, so viewers stall. The encoder, its network or this computer can't keep up. Lower the encoder's bitrate (in OBS: Settings → Output → Bitrate), or use a wired connection.",
    ],
    [
      { code: 'arrives-with-pauses', severity: 'bad', count: 2, seconds: 24.3, from: 'encoder', areLosses: true },
      'The encoder keeps disconnecting',
      'It was gone twice in the last minute, 24.3\u00a0s in total. Check the encoder and its network.',
    ],
    [
      { code: 'arrives-with-pauses', severity: 'bad', count: 2, seconds: 12, from: 'one-click', areLosses: true },
      'The encoder keeps disconnecting',
      "It was gone twice in the last minute, 12.0\u00a0s in total. Check this computer's network.",
    ],
    [
      { code: 'arrives-with-pauses', severity: 'bad', count: 7, seconds: 12.5, from: 'one-click' },
      'Media keeps pausing',
      "It paused 7 times in the last minute, 12.5\u00a0s in total, so viewers stall. Close other programs. If that doesn't help, stop, choose a lower quality beside the source (Custom goes lowest), and go live again.",
    ],
  ],
  'region-unseen': [
    [
      { code: 'region-unseen', severity: 'warn', region: 'jfk' },
      "Can't tell whether JFK plays it",
      "Its ingest takes your media, but its playlist can't be read from here: viewers may still see you. Check Tallylight there, or stop and choose another region.",
    ],
    [
      { code: 'region-unseen', severity: 'warn', region: 'jfk', ofService: true },
      "Can't tell whether JFK plays it",
      "Its ingest takes your media, but its playlist can't be read from here: viewers may still see you. Check the service, or stop and go live again.",
    ],
  ],
  'service-stalled': [
    [
      { code: 'service-stalled', severity: 'bad' },
      'The service gets nothing new',
      'Its ingest takes your media, but its counters have stopped. If the monitor has stopped too, stop and go live again.',
    ],
  ],
  'renditions-shed': [
    [
      { code: 'renditions-shed', severity: 'warn', names: ['720p'], remedy: 'fewer-renditions' },
      'A rendition is paused',
      "This computer can't keep up with 720p. Viewers still get everything else. Close other programs or turn off another rendition; it resumes when there is room.",
    ],
    [
      { code: 'renditions-shed', severity: 'warn', names: ['720p', '480p'] },
      '2 renditions are paused',
      "This computer can't keep up with 720p, 480p. Viewers still get everything else. Close other programs; they resume when there is room.",
    ],
  ],
  'no-renditions': [
    [
      { code: 'no-renditions', severity: 'warn' },
      'No renditions',
      "Viewers get only the source. “What happened” says why. They start automatically once the cause is fixed. If they don't, stop and go live again.",
    ],
    [
      { code: 'no-renditions', severity: 'warn', isResting: true },
      'No renditions',
      'Viewers get only the source. “What happened” says why. Tallylight tries again within minutes.',
    ],
  ],
  'keyframes-far': [
    [
      { code: 'keyframes-far', severity: 'warn', intervalSeconds: 8.33 },
      'Keyframes are too far apart',
      'They come up to 8.3\u00a0s apart, so viewers start late and lag. In OBS, open Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\u00a0s.',
    ],
    [
      { code: 'keyframes-far', severity: 'bad', intervalSeconds: 65, isOverdue: true },
      'Keyframes are too far apart',
      'No keyframe for 65.0\u00a0s: viewers who join see nothing until the next one, and others may freeze. In OBS, open Settings → Output, set Output Mode to Advanced and Keyframe Interval to 1\u00a0s.',
    ],
  ],
  'profile-rare': [
    [
      { code: 'profile-rare', severity: 'bad' },
      'Many viewers see no picture',
      "The encoder sends video in a profile that phones and some browsers can't decode, such as 4:4:4, 4:2:2 or H.264 in 10 bits. In OBS, choose NV12 as Color Format in Settings → Advanced, and high or main as Profile in Settings → Output.",
    ],
    [
      { code: 'profile-rare', severity: 'warn' },
      'Many viewers get only renditions',
      "The encoder sends video in a profile that phones and some browsers can't decode, such as 4:4:4, 4:2:2 or H.264 in 10 bits. In OBS, choose NV12 as Color Format in Settings → Advanced, and high or main as Profile in Settings → Output.",
    ],
  ],
  'service-silent': [
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'timed-out', afterMs: 5_000 }, isSending: true },
      "The service doesn't answer",
      "The service didn't answer within 5\u00a0s. Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.",
    ],
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'server-error', status: 500 }, isSending: false },
      "The service doesn't answer",
      'The service has an internal error (500). Try again later. The stream is shown as last known.',
    ],
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'no-such-stream' }, isSending: true },
      'The service has no such stream any more',
      'The service has no such stream. It may have been deleted there. Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.',
    ],
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'not-json' }, isSending: false },
      "The service's answers can't be used",
      "The service's answer isn't JSON. If this continues, check the address: it must be that of its API. The stream is shown as last known.",
    ],
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'closed' }, isSending: false },
      "The service doesn't answer",
      'The service closed the connection without an answer. The stream is shown as last known.',
    ],
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'key-refused', status: 401 }, isSending: true },
      "The service's API key doesn't work any more",
      'The service refused the API key. Check that it is complete and not revoked. Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.',
    ],
    [
      { code: 'service-silent', severity: 'warn', failure: { code: 'key-lost' }, isSending: false },
      "The service's API key doesn't work any more",
      "The API key of this service can't be decrypted any more. Enter it again. The stream is shown as last known.",
    ],
    [
      {
        code: 'service-silent',
        severity: 'warn',
        failure: { code: 'too-many-requests', retryAfterSeconds: 60, askedAgainInSeconds: 30 },
        isSending: true,
      },
      'The service is limiting requests',
      'The service says that it gets too many requests. Tallylight asks again in 30\u00a0s. Your media still goes to its ingest, and Tallylight keeps sending. Only its reports are missing.',
    ],
  ],
  'region-stopped': [
    [
      { code: 'region-stopped', severity: 'bad', region: 'jfk' },
      'Viewers get nothing new from JFK',
      'Its ingest takes your media, but its playlist has stopped. Check Tallylight there. If this continues, choose another region and go live again.',
    ],
    [
      { code: 'region-stopped', severity: 'bad', region: 'jfk', ofService: true },
      'Viewers get nothing new from JFK',
      'Its ingest takes your media, but its playlist has stopped. Check the service. If this continues, stop and go live again.',
    ],
  ],
  'service-inactive': [
    [
      { code: 'service-inactive', severity: 'warn', forMs: 15_000 },
      "The service doesn't show the stream as active",
      'Its ingest has taken your media for 15.0\u00a0s. If the monitor stays empty, stop and go live again.',
    ],
  ],
  'service-holds': [
    [
      { code: 'service-holds', severity: 'warn' },
      "The service hasn't ended the broadcast",
      'This computer sends nothing any more, but the service still calls the stream active. If this continues, press Stop, which asks the service to end it.',
    ],
  ],
  'renditions-behind': [
    [
      { code: 'renditions-behind', severity: 'warn', made: 20, expected: 90 },
      'The service makes too few renditions',
      'It made 20 of the last 90 segments. Viewers still get the source. If this continues, use fewer or smaller renditions.',
    ],
  ],
  'play-resumes': [
    [
      { code: 'play-resumes', severity: 'warn' },
      'Your monitor is catching up',
      'Media is arriving. The picture will follow in a moment.',
    ],
  ],
  'play-failed': [
    [
      { code: 'play-failed', severity: 'bad', monitor: 'own', forEveryone: 'usual-codecs' },
      "Your monitor isn't playing",
      `It can't play the stream, so you don't see what viewers see. It keeps trying. ${usualCodecs} ${ifOnlyYou}`,
    ],
    [
      { code: 'play-failed', severity: 'bad', monitor: 'other-page', forEveryone: 'usual-codecs' },
      "A monitor on another page isn't playing",
      `It can't play the stream. ${usualCodecs} ${ifOnlyThere}`,
    ],
  ],
  'play-stalls': [
    [
      { code: 'play-stalls', severity: 'bad', monitor: 'own', stall: { kind: 'frozen' }, forEveryone: 'lower-bitrate' },
      'Your monitor is stalling',
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
      'A monitor is stalling',
      `It hasn't received a picture. If viewers see it too, stop, choose a lower quality beside the source (Custom goes lowest), and go live again. ${ifOnlyThere}`,
    ],
    [
      {
        code: 'play-stalls',
        severity: 'warn',
        monitor: 'other-page',
        forEveryone: 'check-network',
        stall: { kind: 'repeated', count: 2, seconds: 3.2 },
      },
      'A monitor on another page has stalled',
      `It stalled twice in the last minute, 3.2\u00a0s in total. If viewers see it too, check this computer's network. ${ifOnlyThere}`,
    ],
    [
      {
        code: 'play-stalls',
        severity: 'warn',
        monitor: 'own',
        forEveryone: 'lower-bitrate',
        stall: { kind: 'repeated', count: 1, seconds: 5 },
      },
      'Your monitor has stalled',
      `It stalled once in the last minute, 5.0\u00a0s in total. ${lowerBitrate} ${ifOnlyYou}`,
    ],
  ],
  'play-drops': [
    [
      { code: 'play-drops', severity: 'warn', monitor: 'own', ratio: 0.1 },
      'Your monitor is dropping frames',
      `10\u00a0% of the last minute's frames came too late to show, so its picture stutters. If viewers see it too, lower the frame rate or resolution. ${ifOnlyYou}`,
    ],
  ],
  'play-behind': [
    [
      { code: 'play-behind', severity: 'warn', monitor: 'own', forEveryone: 'lower-bitrate' },
      'Your monitor is far behind',
      `It's showing an old part of the broadcast. Reload this page to catch up. ${lowerBitrate} ${ifOnlyYou}`,
    ],
    [
      { code: 'play-behind', severity: 'bad', monitor: 'any-page', forEveryone: 'lower-bitrate' },
      'A monitor is far behind',
      `It's showing an old part of the broadcast. ${lowerBitrate} ${ifOnlyThere}`,
    ],
  ],
};

test.each(Object.values(words).flat())('describes %j', (verdict, title, sentence) => {
  expect(describeVerdict(verdict, 0)).toEqual(sentence === undefined ? { title } : { title, sentence });
});

test('a lower quality is advised where it can be chosen: in the monitor, or between two broadcasts', () => {
  const advice = Object.values(words)
    .flat()
    .flatMap(([verdict]) => describeVerdict(verdict, 0).sentence?.match(/[^.]*lower quality[^.]*\./g) ?? []);
  expect(advice.length).toBeGreaterThan(10);
  expect(advice.filter((each) => !/in the monitor|go live again/.test(each))).toEqual([]);
});

test("times follow the page's clock, not the service's", () => {
  const sleep = { kind: 'slept', from: at(10, 0), to: at(10, 25) } as const;
  const hourMs = 3_600_000;
  const told = 'The computer slept from 09:00:00 to 09:25:00. Viewers got nothing new during that time.';
  expect(describeVerdict({ code: 'slept', severity: 'warn', sleep }, hourMs).sentence).toBe(told);
  expect(describeLogEvent({ code: 'slept', sleep }, hourMs)).toBe(told);
});
