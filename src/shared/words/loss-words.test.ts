import { expect, test } from 'vitest';
import type { LossCause, RefusalReason } from '../model/refusal.ts';
import { describeLossCause, describeRefusalForOwner } from './loss-words.ts';

/** Every cause, with the sentence that encoders and screens show. */
const words: { [Code in LossCause['code']]: [Extract<LossCause, { code: Code }>, string][] } = {
  'wrong-key': [[{ code: 'wrong-key' }, 'Unknown stream key. Copy it again from Tallylight.']],
  'old-key': [[{ code: 'old-key' }, 'This stream key was replaced. Copy the new one from Tallylight.']],
  suspended: [[{ code: 'suspended' }, 'This stream is suspended. Resume it in Tallylight.']],
  stopped: [
    [{ code: 'stopped' }, 'This stream was stopped in Tallylight. Allow it there, or stop sending for a minute and try again.'],
  ],
  codec: [
    [{ code: 'codec', track: 'video', name: 'HEVC' }, "HEVC video isn't supported. Choose H.264 in the encoder's settings."],
    [{ code: 'codec', track: 'audio', name: 'MP3' }, "MP3 audio isn't supported. Choose AAC in the encoder's settings."],
    [
      { code: 'codec', track: 'audio', name: 'Multitrack' },
      "Only one audio track is supported. Turn off the others in the encoder's settings.",
    ],
    [
      { code: 'codec', track: 'video', name: 'Multitrack' },
      "Only one video track is supported. Turn off the others in the encoder's settings.",
    ],
    [
      { code: 'codec', track: 'video', name: 'ModEx' },
      "ModEx, an extension of Enhanced RTMP, isn't supported. Turn it off in the encoder's settings.",
    ],
  ],
  'in-use': [
    [
      { code: 'in-use', by: { name: 'GStreamer 1.22.0', address: '192.0.2.7' } },
      'GStreamer 1.22.0 at 192.0.2.7 took over this stream key.',
    ],
  ],
  'wrong-app': [[{ code: 'wrong-app' }, 'The address must end in /live. The stream key comes after it.']],
  'too-many-bytes': [
    [
      { code: 'too-many-bytes', maxBytes: 32 * 1024 * 1024 },
      'The encoder sent more than 32 MiB for one second of media. Lower its bitrate, or check its timestamps.',
    ],
  ],
  restless: [
    [
      { code: 'restless' },
      'The stream restarted, jumped in time or changed its format more than 12 times in 10 s. Check the encoder, and try again after 10 s.',
    ],
  ],
  rtmps: [[{ code: 'rtmps' }, 'RTMPS needs a TLS certificate in Settings. Without one, use rtmp:// in the encoder.']],
  certificate: [
    [
      { code: 'certificate' },
      "The encoder rejected the TLS certificate. It must not have expired, name the encoder's server address, and come from an authority the encoder trusts.",
    ],
  ],
  'store-unreadable': [
    [
      { code: 'store-unreadable', fault: { code: 'disk-failed' } },
      'The store cannot be used: its disk failed to read or write.',
    ],
  ],
  'key-renewed': [[{ code: 'key-renewed' }, 'The stream has a new stream key. Copy it from Tallylight.']],
  'broadcast-ended': [
    [{ code: 'broadcast-ended', reason: 'stopped' }, 'You stopped the broadcast in Tallylight.'],
    [{ code: 'broadcast-ended', reason: 'terminated' }, 'A program ended the broadcast through the API.'],
  ],
  'asked-to-play': [[{ code: 'asked-to-play' }, "RTMP playback isn't supported. Viewers open the HLS playback URL."]],
  closed: [[{ code: 'closed' }, 'The encoder closed its connection without ending the stream.']],
  'connection-broke': [[{ code: 'connection-broke', reason: 'ECONNRESET' }, "The encoder's connection broke (ECONNRESET)."]],
  'no-media': [
    [{ code: 'no-media', forMs: 10_000 }, 'No media arrived for 10 s.'],
    [{ code: 'no-media', forMs: 10_000, isUnusable: true }, 'Nothing that can be played arrived for 10 s.'],
  ],
  'ingest-closing': [[{ code: 'ingest-closing' }, 'The ingest is closing.']],
  protocol: [[{ code: 'protocol', fault: 'An audio message is too short.' }, 'An audio message is too short.']],
  internal: [[{ code: 'internal' }, 'The ingest failed.']],
};

test.each(Object.values(words).flat())('describes %j', (cause, sentence) => {
  expect(describeLossCause(cause)).toBe(sentence);
});

/** Every reason for a refusal, with what its owner reads. The last ones say what the encoder shows. */
const ownerWords: { [Code in RefusalReason['code']]: [Extract<RefusalReason, { code: Code }>, what: string, why: string][] } = {
  'wrong-key': [[{ code: 'wrong-key' }, 'used a wrong stream key', "Paste this stream's key into it."]],
  'old-key': [[{ code: 'old-key' }, 'used an old stream key', 'This stream has a new key: paste it into the encoder.']],
  suspended: [[{ code: 'suspended' }, 'was refused', 'This stream is suspended.']],
  stopped: [[{ code: 'stopped' }, 'was refused', 'You stopped this stream.']],
  codec: [
    [
      { code: 'codec', track: 'video', name: 'HEVC' },
      'was refused',
      "HEVC video isn't supported. Choose H.264 in the encoder's settings. In OBS, choose both encoders in Settings → Output.",
    ],
    // Another codec doesn't help.
    [
      { code: 'codec', track: 'audio', name: 'Multitrack' },
      'was refused',
      "Only one audio track is supported. Turn off the others in the encoder's settings.",
    ],
  ],
  'in-use': [
    [
      { code: 'in-use', by: { name: 'FFmpeg', address: '127.0.0.1' } },
      'was disconnected',
      'FFmpeg on this computer took over this stream key.',
    ],
  ],
  'wrong-app': [[{ code: 'wrong-app' }, 'was refused', describeLossCause({ code: 'wrong-app' })]],
  rtmps: [[{ code: 'rtmps' }, 'was refused', describeLossCause({ code: 'rtmps' })]],
  certificate: [[{ code: 'certificate' }, 'was refused', describeLossCause({ code: 'certificate' })]],
  restless: [[{ code: 'restless' }, 'was refused', describeLossCause({ code: 'restless' })]],
  'store-unreadable': [
    [
      { code: 'store-unreadable', fault: { code: 'cannot-open' } },
      'was refused',
      describeLossCause({ code: 'store-unreadable', fault: { code: 'cannot-open' } }),
    ],
  ],
};

test.each(Object.values(ownerWords).flat())('tells the owner of %j', (reason, what, why) => {
  expect(describeRefusalForOwner(reason)).toEqual({ what, why });
});
