import { expect, test } from 'vitest';
import { describeClosing } from './closing-words.ts';

test('closing is asked about while something is on air, and while it is not known whether anything is', () => {
  expect(describeClosing([])).toBeUndefined();
  expect(describeClosing(['Sunday show', 'Other'])).toEqual({
    message: 'You are on air.',
    detail: 'Sunday show, Other: closing Tallylight ends the stream for everyone watching.',
  });
  expect(describeClosing(undefined)?.message).toBe('You may be on air.');
});
