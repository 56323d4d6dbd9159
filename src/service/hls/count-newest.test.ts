import { expect, test } from 'vitest';
import { countNewest } from './count-newest.ts';

test.each([
  [[2, 2, 2, 2], 6, 0, 3],
  // Segments that reach exactly this far are enough, and the oldest may reach further.
  [[2, 2, 2, 2], 6.1, 0, 4],
  [[9, 1, 4, 2], 6, 0, 2],
  // The seconds after them count, and may be enough.
  [[2, 2, 2, 2], 6, 1.9, 3],
  [[2, 2, 2, 2], 6, 2, 2],
  [[2, 2, 2, 2], 6, 6, 0],
  // All segments, if they don't reach this far.
  [[2, 2], 6, 0, 2],
  [[], 6, 0, 0],
])(
  'of segments of %j s, those that reach back %d s from %d s after them are %i',
  (seconds, reachSeconds, afterSeconds, count) => {
    const segments = seconds.map((durationSeconds) => ({ durationSeconds }));
    expect(countNewest(segments, reachSeconds, afterSeconds)).toBe(count);
  },
);
