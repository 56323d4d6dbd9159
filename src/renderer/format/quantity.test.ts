import { expect, test } from 'vitest';
import { formatDecimal, formatShare, formatSize } from './quantity.ts';

test('a decimal drops only trailing zeros', () => {
  expect([30, 29.97, 1.04, 0].map((value) => formatDecimal(value, 2))).toEqual(['30', '29.97', '1.04', '0']);
});

test('a size uses the largest unit that keeps it at one or more', () => {
  expect([812, 3_400_000, 1_000, 2.5e12, 5e15].map(formatSize)).toEqual([
    '812\u00a0B',
    '3.4\u00a0MB',
    '1.0\u00a0kB',
    '2.5\u00a0TB',
    '5000.0\u00a0TB',
  ]);
});

test('a percentage has two significant digits', () => {
  expect([0, 0.00001, 0.0002, 0.0099, 0.014, 0.234, 1].map(formatShare)).toEqual([
    '0',
    '< 0.01',
    '0.02',
    '0.99',
    '1.4',
    '23',
    '100',
  ]);
});
