import { expect, test } from 'vitest';
import type { OneClickFailure } from '../model/one-click-failure.ts';
import { describeFailure } from './failure-words.ts';

/** Every failure, with its sentence. */
const words: { [Code in OneClickFailure['code']]: [Extract<OneClickFailure, { code: Code }>, string] } = {
  killed: [{ code: 'killed', signal: 'SIGKILL' }, 'ffmpeg was killed (SIGKILL).'],
  'not-started': [{ code: 'not-started' }, 'ffmpeg failed to start.'],
  exited: [{ code: 'exited', exitCode: 1 }, 'ffmpeg exited with code 1.'],
  stuck: [{ code: 'stuck' }, 'ffmpeg accepts frames but outputs none.'],
  unreadable: [
    { code: 'unreadable', fault: 'An FLV tag is too long.' },
    "ffmpeg's output can't be read: An FLV tag is too long.",
  ],
  'source-ended': [{ code: 'source-ended' }, 'ffmpeg exited because the source ended.'],
  'no-video-track': [{ code: 'no-video-track' }, 'The file has no video track. Choose one that has video.'],
  'file-gone': [{ code: 'file-gone' }, 'The file was moved or deleted. Choose it again.'],
  'file-forbidden': [{ code: 'file-forbidden' }, "Tallylight isn't allowed to read the file. Check its permissions."],
  'file-is-folder': [{ code: 'file-is-folder' }, "That's a folder. Choose a file in it."],
  'file-unreadable': [{ code: 'file-unreadable' }, "ffmpeg can't read this file. It may be damaged or not a video."],
  'no-x264': [{ code: 'no-x264' }, 'This ffmpeg was built without x264, which Go live needs. Install a full build.'],
  'out-of-memory': [{ code: 'out-of-memory' }, 'The computer ran out of memory while encoding.'],
  unreachable: [{ code: 'unreachable', reason: 'ECONNREFUSED' }, "Can't reach the ingest (ECONNREFUSED)."],
  'no-answer': [{ code: 'no-answer', afterMs: 10_000 }, "The ingest didn't respond within 10 s."],
  disconnected: [{ code: 'disconnected' }, 'The ingest closed the connection.'],
  'connection-broke': [{ code: 'connection-broke', reason: 'ECONNRESET' }, 'Lost the connection to the ingest (ECONNRESET).'],
  'takes-no-data': [{ code: 'takes-no-data', forMs: 300 }, 'The ingest has accepted no data for 0.3 s.'],
  protocol: [{ code: 'protocol', fault: 'A chunk is too long.' }, 'A chunk is too long.'],
  refused: [
    { code: 'refused', status: 'NetStream.Publish.Denied' },
    'The ingest refused the stream (NetStream.Publish.Denied).',
  ],
  said: [{ code: 'said', text: 'This stream is suspended.' }, 'This stream is suspended.'],
  internal: [{ code: 'internal' }, 'Publishing failed.'],
};

test.each(Object.values(words))('describes %j', (failure, sentence) => {
  expect(describeFailure(failure)).toBe(sentence);
});

test('a refusal without a status says that no reason was given', () => {
  expect(describeFailure({ code: 'refused' })).toBe('The ingest refused the stream (no reason given).');
});
