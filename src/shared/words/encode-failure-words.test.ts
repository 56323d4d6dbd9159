import { expect, test } from 'vitest';
import type { EncodeFailure } from '../model/encode-failure.ts';
import { describeEncodeFailure } from './encode-failure-words.ts';

/** Every failure, with what is said of it. */
const words: { [Code in EncodeFailure['code']]: [Extract<EncodeFailure, { code: Code }>, string] } = {
  killed: [{ code: 'killed', signal: 'SIGKILL' }, 'ffmpeg was ended from outside (SIGKILL).'],
  'not-started': [{ code: 'not-started' }, 'ffmpeg could not be started.'],
  exited: [{ code: 'exited', exitCode: 1 }, 'ffmpeg ended with code 1.'],
  stuck: [{ code: 'stuck' }, 'ffmpeg takes frames in but puts none out.'],
  unreadable: [
    { code: 'unreadable', fault: 'An FLV tag is too long.' },
    'What ffmpeg wrote cannot be read: An FLV tag is too long.',
  ],
};

test.each(Object.values(words))('the words of %j', (failure, sentence) => {
  expect(describeEncodeFailure(failure)).toBe(sentence);
});
