import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test('a text is cut between characters, however many code units they have', () => {
  expect(['', 'ab', 'abc', '🎥🎥', '🎥🎥🎥', 'x🎥🎥', 'x🎥🎥🎥'].map((text) => cutText(text, 2))).toEqual([
    '',
    'ab',
    'ab',
    '🎥🎥',
    '🎥🎥',
    'x🎥',
    'x🎥',
  ]);
});

test('half a character becomes the replacement character', () => {
  expect(['a\ud83c', '\udfa5a', 'ab\ud83c'].map((text) => cutText(text, 2))).toEqual(['a\ufffd', '\ufffda', 'ab']);
});
