import { expect, test } from 'vitest';
import { describeClosing } from './closing-words.ts';

test('closing asks while something is on air, or while that is unknown', () => {
  expect(describeClosing([])).toBeUndefined();
  expect(describeClosing(['Sunday show', 'Other'])).toEqual({
    message: 'You are on air.',
    detail: 'Sunday show, Other: closing Tallylight ends the broadcasts for everyone watching.',
  });
  expect(describeClosing(['Sunday show'])?.detail).toBe(
    'Sunday show: closing Tallylight ends the broadcast for everyone watching.',
  );
  expect(describeClosing(undefined)?.message).toBe('You may be on air.');
});

test('the name of a stream that is read from the right does not turn the question around', () => {
  expect(describeClosing(['ערוץ 2', 'Other'])?.detail).toBe(
    '\u2068ערוץ 2\u2069, Other: closing Tallylight ends the broadcasts for everyone watching.',
  );
});
