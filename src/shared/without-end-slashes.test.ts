import { expect, test } from 'vitest';
import { withoutEndSlashes } from './without-end-slashes.ts';

test.each([
  ['https://example.com/hls', 'https://example.com/hls'],
  ['https://example.com/hls///', 'https://example.com/hls'],
  ['/a//b/\n', '/a//b/\n'],
  ['///', ''],
  ['', ''],
])('%j becomes %j', (text, without) => {
  expect(withoutEndSlashes(text)).toBe(without);
});
