import { expect, test } from 'vitest';
import { firstSequences } from './first-sequences.ts';

test('a stream that was created in this run begins at 0', () => {
  expect(firstSequences({ nextMediaSequence: 0, nextDiscontinuitySequence: 0, isNew: true })).toEqual({
    firstMediaSequence: 0,
    firstDiscontinuitySequence: 0,
  });
});

test('any other begins beyond the stored numbers, with room for those that a crash or a full disk left unstored', () => {
  for (const [used, discontinuities] of [
    // Stored before its first broadcast, of which nothing may have been stored.
    [0, 0],
    [1, 0],
    [40, 2],
    [2 ** 40, 7],
  ] as const) {
    expect(firstSequences({ nextMediaSequence: used, nextDiscontinuitySequence: discontinuities, isNew: false })).toEqual({
      firstMediaSequence: used + 65_536,
      firstDiscontinuitySequence: discontinuities + 4_096,
    });
  }
});
