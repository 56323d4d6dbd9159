import { expect, test } from 'vitest';
import { formatCount, formatDecimal, formatKilobits, formatSize } from './quantity.ts';

test('thousands are set apart by a narrow no-break space', () => {
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

test('a decimal loses only the zeros that say nothing', () => {
  expect([30, 29.97, 1.04, 0].map((value) => formatDecimal(value, 2))).toEqual(['30', '29.97', '1.04', '0']);
});

test('a size uses the largest unit that keeps it at one or more', () => {
  expect([812, 3_400_000, 1_000, 2.5e12, 5e15].map(formatSize)).toEqual(['812 B', '3.4 MB', '1.0 kB', '2.5 TB', '5000.0 TB']);
});
