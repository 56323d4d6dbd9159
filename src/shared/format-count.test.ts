import { expect, test } from 'vitest';
import { formatCount, formatKilobits } from './format-count.ts';

test('thousands are separated by a narrow no-break space', () => {
  expect([0, 999, 1000, 7608, 1234567].map(formatCount)).toEqual([
    '0',
    '999',
    '1\u202f000',
    '7\u202f608',
    '1\u202f234\u202f567',
  ]);
});

test('a bitrate is shown in whole kbit/s', () => {
  expect(formatKilobits(3_012_400)).toBe('3\u202f012');
});
