import { expect, test } from 'vitest';
import type { LogEvent, LogEventOf } from '../model/log-line.ts';
import type { Verdict } from '../model/verdict.ts';
import { describeLogEvent } from './log-words.ts';

const at = (hours: number, minutes: number) => new Date(2030, 0, 1, hours, minutes).getTime();
const frames: Verdict = { code: 'frames-missing', severity: 'warn', fps: 28, nominalFps: 30, from: 'encoder' };
const away: Verdict = {
  code: 'source-away',
  severity: 'bad',
  away: { part: 'picture', kind: 'camera', name: 'Webcam', fault: { code: 'gone' } },
};

/** Every event, with its line. Verdicts, ladder events and ends have tables of their own. */
const words: { [Code in LogEvent['code']]: [LogEventOf<Code>, string][] } = {
  'on-air': [[{ code: 'on-air', afterMs: 1_340 }, 'On air after 1.3\u00a0s.']],
  'back-on-air': [
    [{ code: 'back-on-air', afterMs: 8_400 }, 'Back on air after 8\u00a0s.'],
    [{ code: 'back-on-air', afterMs: 120 }, 'Back on air after 1\u00a0s.'],
    [{ code: 'back-on-air', afterMs: 95_000 }, 'Back on air after 1\u00a0min 35\u00a0s.'],
  ],
  'took-over': [
    [
      { code: 'took-over', encoder: { name: 'OBS Studio 29.0.2', address: '192.0.2.7' } },
      'OBS Studio 29.0.2 at 192.0.2.7 took over with the same stream key.',
    ],
    [
      { code: 'took-over', encoder: { address: '::ffff:127.0.0.1' } },
      'Another encoder on this computer took over with the same stream key.',
    ],
  ],
  'encoder-lost': [
    [
      { code: 'encoder-lost', when: 'before-on-air', cause: { code: 'no-media', forMs: 10_000 } },
      'The encoder left before viewers saw anything. No media arrived for 10 s.',
    ],
    [
      { code: 'encoder-lost', when: 'on-air', cause: { code: 'no-media', forMs: 10_000 }, waitMs: 60_000 },
      'The encoder was lost. No media arrived for 10 s. Waiting 60\u00a0s for it to come back.',
    ],
    [
      { code: 'encoder-lost', when: 'back', cause: { code: 'no-media', forMs: 10_000 } },
      'The encoder came back and was lost again. No media arrived for 10 s.',
    ],
  ],
  ended: [
    [{ code: 'ended', reason: 'ingest-lost', goneMs: 60_900 }, 'The broadcast ended after the encoder was gone for 60\u00a0s.'],
  ],
  slept: [
    [
      { code: 'slept', sleep: { kind: 'slept', from: at(10, 0), to: at(10, 25) } },
      'The computer slept from 10:00:00 to 10:25:00. Viewers got nothing new during that time.',
    ],
  ],
  'media-malformed': [
    [
      { code: 'media-malformed', fault: 'A video frame has broken NAL unit lengths.' },
      "The encoder sent media that can't be played, so it was skipped: A video frame has broken NAL unit lengths.",
    ],
  ],
  'fell-behind': [
    [
      { code: 'fell-behind', reader: 'ladder', missedUnits: 53 },
      'The transcoder fell behind and missed 53 frames. Viewers of the source notice nothing.',
    ],
    [
      { code: 'fell-behind', reader: 'audio-meter', missedUnits: 1 },
      'The audio meter fell behind and missed 1 frame. Viewers of the source notice nothing.',
    ],
  ],
  'rewind-shortened': [
    [
      { code: 'rewind-shortened', diskFull: true },
      "The disk is almost full, so viewers can't rewind as far as you set. Live playback continues.",
    ],
    [
      { code: 'rewind-shortened', diskFull: false },
      "Segments can't be saved to disk, so viewers can't rewind as far as you set. Live playback continues.",
    ],
  ],
  'trouble-began': [
    [{ code: 'trouble-began', verdict: frames }, '“Frames are missing” began.'],
    [{ code: 'trouble-began', verdict: away }, "“‘Webcam’ isn't connected” began."],
  ],
  'trouble-ended': [
    [{ code: 'trouble-ended', verdict: frames, afterMs: 4_100 }, '“Frames are missing” ended after 4\u00a0s.'],
    [{ code: 'trouble-ended', verdict: frames, afterMs: 300 }, '“Frames are missing” ended after 1\u00a0s.'],
    [{ code: 'trouble-ended', verdict: frames, afterMs: 10_800_000 }, '“Frames are missing” ended after 3\u00a0h.'],
  ],
  'trouble-passed': [[{ code: 'trouble-passed', verdict: frames, afterMs: 1_000 }, '“Frames are missing” for 1\u00a0s.']],
  bitrate: [
    [
      { code: 'bitrate', event: { code: 'kept', severity: 'warn', bitrateBps: 3_000_000 } },
      "The encoder's bitrate couldn't be changed. It continues at 3\u202f000\u00a0kbit/s.",
    ],
  ],
  ladder: [[{ code: 'ladder', event: { code: 'started', severity: 'good', names: ['720p'] } }, 'Encoding “720p”.']],
  'go-live-failed': [
    [{ code: 'go-live-failed', failure: { code: 'file-gone' } }, 'The file was moved or deleted. Choose it again.'],
  ],
  'source-changed': [[{ code: 'source-changed' }, 'The source was changed.']],
  'encoder-fell-back': [
    [
      { code: 'encoder-fell-back', encoder: 'h264_nvenc' },
      'The encoder h264_nvenc failed. The broadcast continues with libx264, which uses more CPU.',
    ],
  ],
  'encoder-restarted': [
    [
      { code: 'encoder-restarted', track: 'video', failure: { code: 'killed', signal: 'SIGKILL' } },
      'ffmpeg was killed (SIGKILL). The video encoder was restarted.',
    ],
    [
      { code: 'encoder-restarted', track: 'audio', failure: { code: 'exited', exitCode: 1 }, waitMs: 2_250 },
      'ffmpeg exited with code 1. Restarting the audio encoder in 3\u00a0s.',
    ],
  ],
  'ingest-unreached': [
    [
      { code: 'ingest-unreached', failure: { code: 'closed', during: 'connect' } },
      "Can't connect to the ingest yet: The ingest closed the connection at once.",
    ],
  ],
  'region-failed': [
    [
      { code: 'region-failed', region: 'jfk', next: 'ber', isOffer: true, failure: { code: 'closed', during: 'sending' } },
      'The region JFK failed. The ingest closed the connection. You can continue in BER, the next nearest.',
    ],
    [{ code: 'region-failed', region: 'jfk', next: 'ber', isOffer: false }, 'The region JFK failed.'],
  ],
  'region-changed': [
    [
      { code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: true },
      'The broadcast continues in BER instead of JFK. Viewers need the playback URL of BER.',
    ],
    [
      { code: 'region-changed', from: 'jfk', to: 'ber', isAutomatic: false },
      'You let the broadcast continue in BER instead of JFK. Viewers need the playback URL of BER.',
    ],
  ],
  'region-refused': [
    [
      { code: 'region-refused', region: 'sin', back: 'jfk', failure: { code: 'already-publishing' } },
      "The region SIN refused the broadcast, which keeps trying in JFK. Another encoder is sending with this stream key, or the ingest hasn't noticed yet that it left.",
    ],
  ],
  'ingest-lost': [
    [
      { code: 'ingest-lost', failure: { code: 'closed', during: 'sending' } },
      'Lost the ingest: The ingest closed the connection.',
    ],
  ],
};

test.each(Object.values(words).flat())('describes %j', (event, line) => {
  expect(describeLogEvent(event, 0)).toBe(line);
});
