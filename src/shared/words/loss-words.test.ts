import { expect, test } from 'vitest';
import type { LossCause } from '../model/refusal.ts';
import { describeLossCause } from './loss-words.ts';

/** Every cause, with what encoders and screens say of it. */
const words: { [Code in LossCause['code']]: [Extract<LossCause, { code: Code }>, string][] } = {
  'wrong-key': [[{ code: 'wrong-key' }, 'The stream key is not known. Copy it again from Tallylight.']],
  'old-key': [[{ code: 'old-key' }, 'This stream key was replaced. Copy the new one from Tallylight.']],
  suspended: [[{ code: 'suspended' }, 'This stream is suspended. Resume it in Tallylight.']],
  stopped: [
    [{ code: 'stopped' }, 'This stream was stopped in Tallylight. Let it in there, or stop sending for a while and try again.'],
  ],
  codec: [
    [{ code: 'codec', track: 'video', name: 'HEVC' }, "HEVC video is not carried; choose H.264 in the encoder's settings."],
    [{ code: 'codec', track: 'audio', name: 'MP3' }, "MP3 audio is not carried; choose AAC in the encoder's settings."],
  ],
  'in-use': [
    [
      { code: 'in-use', by: { name: 'GStreamer 1.22.0', address: '192.0.2.7' } },
      'GStreamer 1.22.0 at 192.0.2.7 took over this stream key.',
    ],
  ],
  'wrong-app': [[{ code: 'wrong-app' }, 'The address must end in /live, followed by the stream key.']],
  rtmps: [[{ code: 'rtmps' }, 'RTMPS is not supported here: use rtmp:// in the encoder.']],
  'store-unreadable': [
    [
      { code: 'store-unreadable', fault: 'The store cannot be used: its disk failed to read or write.' },
      'The store cannot be used: its disk failed to read or write.',
    ],
  ],
  'key-renewed': [[{ code: 'key-renewed' }, 'The stream has a new stream key. Copy it from Tallylight.']],
  'broadcast-ended': [
    [{ code: 'broadcast-ended', reason: 'stopped' }, 'You stopped the broadcast in Tallylight.'],
    [{ code: 'broadcast-ended', reason: 'terminated' }, 'A program ended the broadcast over the interface.'],
  ],
  'asked-to-play': [[{ code: 'asked-to-play' }, 'Nothing is played over RTMP; viewers open the HLS playback URL.']],
  closed: [[{ code: 'closed' }, 'The encoder closed its connection without ending the stream.']],
  'connection-broke': [[{ code: 'connection-broke', reason: 'ECONNRESET' }, "The encoder's connection broke (ECONNRESET)."]],
  'no-media': [[{ code: 'no-media', forMs: 10_000 }, 'No media came for 10 s.']],
  'ingest-closing': [[{ code: 'ingest-closing' }, 'The ingest is closing.']],
  protocol: [[{ code: 'protocol', fault: 'A message of audio is too short.' }, 'A message of audio is too short.']],
  internal: [[{ code: 'internal' }, 'The ingest failed.']],
};

test.each(Object.values(words).flat())('the words of %j', (cause, sentence) => {
  expect(describeLossCause(cause)).toBe(sentence);
});
