import { expect, test } from 'vitest';
import { formatFilterValue } from './filter-value.ts';

test.each([
  ['/fonts/Mono.ttf', '/fonts/Mono.ttf'],
  ['/a, [b]; c/Mono.ttf', String.raw`/a\, \[b\]\; c/Mono.ttf`],
  ["/it's 10:30/Mono.ttf", String.raw`/it\\\'s 10\\:30/Mono.ttf`],
  [String.raw`C:\Mono.ttf`, String.raw`C\\:\\\\Mono.ttf`],
])('a value in a filter graph is written so that no character of it is syntax: %s', (value, written) => {
  expect(formatFilterValue(value)).toBe(written);
});
