import { expect, test } from 'vitest';
import { codeOf, sentenceOf } from './read-error.ts';

test('a system error has its code', () => {
  expect(codeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
});

test.each([new Error('broken'), new DOMException('late', 'TimeoutError'), { code: 1 }, 'ENOENT', null, undefined])(
  '%s has no code',
  (error) => {
    expect(codeOf(error)).toBe(undefined);
  },
);

test('an error says its message, and anything else its text', () => {
  expect(sentenceOf(new RangeError('too far'))).toBe('too far');
  expect(sentenceOf('gone')).toBe('gone');
  expect(sentenceOf(undefined)).toBe('undefined');
});
