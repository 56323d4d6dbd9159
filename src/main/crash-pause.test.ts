import { expect, test } from 'vitest';
import { crashPauseMs } from './crash-pause.ts';

test('a page that crashed is loaded again at once, then after growing pauses, and from the sixth time in a minute not by itself', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(crashPauseMs)).toEqual([0, 1_000, 2_000, 4_000, 8_000, undefined, undefined]);
});
