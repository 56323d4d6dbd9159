import { expect, test } from 'vitest';
import { steadyOffset } from './use-clock-offset.ts';

test('the clocks of one computer are one, however long a message takes', () => {
  expect([0, -2, -40, -900].map((measured) => steadyOffset(0, measured))).toEqual([0, 0, 0, 0]);
});

test('a difference of clocks holds still until they move against each other', () => {
  expect([4_980, 5_000, 5_900, -60_000].map((measured) => steadyOffset(5_000, measured))).toEqual([
    5_000, 5_000, 5_000, -60_000,
  ]);
});
