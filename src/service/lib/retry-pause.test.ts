import { expect, test } from 'vitest';
import { retryPauseMs } from './retry-pause.ts';

test('the first retry is immediate, later ones follow growing pauses of at most 15 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100].map((attempt) => Math.round(retryPauseMs(attempt)))).toEqual([
    0, 1000, 1500, 2250, 3375, 5063, 7594, 11391, 15000, 15000, 15000,
  ]);
});
