import { expect, test } from 'vitest';
import { crashPauseMs } from './crash-pause.ts';

test('a crashed page reloads at once, then after growing pauses, and asks from the sixth crash in a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(crashPauseMs)).toEqual([0, 1_000, 2_000, 4_000, 8_000, undefined, undefined]);
});
