import { expect, test } from 'vitest';
import { findShortage } from './shortage.ts';

test.each([
  ['EAGAIN', 'processes'],
  ['EMFILE', 'own-files'],
  ['ENFILE', 'files'],
  ['ENOMEM', 'memory'],
  ['ENOENT', undefined],
  [undefined, undefined],
])('a program that fails to start with %s lacks %s', (code, shortage) => {
  expect(findShortage(Object.assign(new Error('spawn ffmpeg'), { code }))).toBe(shortage);
});
