import { expect, test } from 'vitest';
import type { EncodeFailure } from '../model/encode-failure.ts';
import { describeFailure } from './failure-words.ts';

/** Every failure of an encode, with its sentence. */
const words: { [Code in EncodeFailure['code']]: [Extract<EncodeFailure, { code: Code }>, string] } = {
  killed: [{ code: 'killed', signal: 'SIGKILL' }, 'ffmpeg was killed (SIGKILL).'],
  'not-started': [{ code: 'not-started' }, 'ffmpeg failed to start.'],
  exited: [{ code: 'exited', exitCode: 1 }, 'ffmpeg exited with code 1.'],
  stuck: [{ code: 'stuck' }, 'ffmpeg accepts frames but outputs none.'],
  frozen: [{ code: 'frozen', forMs: 5_000 }, 'ffmpeg froze: it output nothing for 5\u00a0s.'],
  unreadable: [
    { code: 'unreadable', fault: 'An FLV tag is too long.' },
    "ffmpeg's output can't be read: An FLV tag is too long.",
  ],
  'no-video-track': [{ code: 'no-video-track' }, 'The file has no video track. Choose one that has video.'],
  'file-gone': [{ code: 'file-gone' }, 'The file was moved or deleted. Choose it again.'],
  'file-forbidden': [{ code: 'file-forbidden' }, "Tallylight isn't allowed to read the file. Check its permissions."],
  'file-is-folder': [{ code: 'file-is-folder' }, "That's a folder. Choose a file in it."],
  'file-unreadable': [
    { code: 'file-unreadable' },
    "ffmpeg can't read this file. It may be damaged, or neither a video nor a picture.",
  ],
  'no-x264': [
    { code: 'no-x264', installCommand: 'brew install ffmpeg' },
    'This ffmpeg was built without x264, which Go live needs. Run "brew install ffmpeg" to install a full build.',
  ],
  'out-of-memory': [{ code: 'out-of-memory' }, 'The computer ran out of memory while encoding.'],
};

test.each(Object.values(words))('describes %j', (failure, sentence) => {
  expect(describeFailure(failure)).toBe(sentence);
});

test.each([
  [
    'processes',
    "ffmpeg failed to start: the system allows no more processes, so close other programs or raise the limit of Tallylight's user or container.",
  ],
  ['own-files', 'ffmpeg failed to start: Tallylight may open no more files, so raise its limit (ulimit -n).'],
  ['files', 'ffmpeg failed to start: the computer can open no more files, so close other programs.'],
  ['memory', 'ffmpeg failed to start: the computer has no memory left, so close other programs.'],
] as const)('says that an ffmpeg was not started for lack of %s', (shortage, sentence) => {
  expect(describeFailure({ code: 'not-started', shortage })).toBe(sentence);
});

test('without a known command, ffmpeg is to be installed by hand', () => {
  expect(describeFailure({ code: 'no-x264' })).toBe(
    'This ffmpeg was built without x264, which Go live needs. Install a full build.',
  );
});

test('a failure of the ingest has its own words', () => {
  expect(describeFailure({ code: 'closed', during: 'sending' })).toBe('The ingest closed the connection.');
});
