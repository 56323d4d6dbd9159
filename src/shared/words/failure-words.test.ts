import { expect, test } from 'vitest';
import type { OneClickFailure } from '../model/one-click-failure.ts';
import { describeFailure } from './failure-words.ts';

/** Every failure, with what is said of it. */
const words: { [Code in OneClickFailure['code']]: [Extract<OneClickFailure, { code: Code }>, string] } = {
  killed: [{ code: 'killed', signal: 'SIGKILL' }, 'ffmpeg was ended from outside (SIGKILL).'],
  'not-started': [{ code: 'not-started' }, 'ffmpeg could not be started.'],
  exited: [{ code: 'exited', exitCode: 1 }, 'ffmpeg ended with code 1.'],
  stuck: [{ code: 'stuck' }, 'ffmpeg takes frames in but puts none out.'],
  unreadable: [
    { code: 'unreadable', fault: 'An FLV tag is too long.' },
    'What ffmpeg wrote cannot be read: An FLV tag is too long.',
  ],
  'source-ended': [{ code: 'source-ended' }, 'ffmpeg ended by itself: the source came to its end.'],
  'no-video-track': [{ code: 'no-video-track' }, 'The file has no video track; choose one with a picture.'],
  'file-gone': [{ code: 'file-gone' }, 'The file is not there any more; choose it again.'],
  'file-forbidden': [{ code: 'file-forbidden' }, 'The file may not be read; check its permissions.'],
  'file-is-folder': [{ code: 'file-is-folder' }, 'That is a folder; choose a file in it.'],
  'file-unreadable': [{ code: 'file-unreadable' }, 'The file is not a video that ffmpeg can read, or it is damaged.'],
  'no-x264': [{ code: 'no-x264' }, 'This ffmpeg was built without x264, which Go live needs; install a full build.'],
  'out-of-memory': [{ code: 'out-of-memory' }, 'The computer ran out of memory while encoding.'],
  unreachable: [{ code: 'unreachable', reason: 'ECONNREFUSED' }, 'The ingest cannot be reached (ECONNREFUSED).'],
  'no-answer': [{ code: 'no-answer', afterMs: 10_000 }, 'The ingest did not answer within 10 s.'],
  disconnected: [{ code: 'disconnected' }, 'The ingest closed the connection.'],
  'connection-broke': [{ code: 'connection-broke', reason: 'ECONNRESET' }, 'The connection to the ingest broke (ECONNRESET).'],
  'takes-no-data': [{ code: 'takes-no-data', forMs: 300 }, 'The ingest has taken no data for 0.3 s.'],
  protocol: [{ code: 'protocol', fault: 'A chunk is too long.' }, 'A chunk is too long.'],
  refused: [
    { code: 'refused', status: 'NetStream.Publish.Denied' },
    'The ingest refused the stream (NetStream.Publish.Denied).',
  ],
  said: [{ code: 'said', text: 'This stream is suspended.' }, 'This stream is suspended.'],
  internal: [{ code: 'internal' }, 'Publishing failed.'],
};

test.each(Object.values(words))('the words of %j', (failure, sentence) => {
  expect(describeFailure(failure)).toBe(sentence);
});

test('an ingest that refuses without a word is said to have given no reason', () => {
  expect(describeFailure({ code: 'refused' })).toBe('The ingest refused the stream (no reason given).');
});
