import { expect, test } from 'vitest';
import { firstSequences } from './first-sequences.ts';

test('a stream that was never on air begins at 0', () => {
  expect(firstSequences({ nextMediaSequence: 0, nextDiscontinuitySequence: 0 })).toEqual({
    firstMediaSequence: 0,
    firstDiscontinuitySequence: 0,
  });
});

test('used numbers are skipped, with room for those that a crash or a full disk left unstored', () => {
  for (const [used, discontinuities] of [
    [1, 0],
    [40, 2],
    [2 ** 40, 7],
  ] as const) {
    expect(firstSequences({ nextMediaSequence: used, nextDiscontinuitySequence: discontinuities })).toEqual({
      firstMediaSequence: used + 65_536,
      firstDiscontinuitySequence: discontinuities + 4_096,
    });
  }
});
