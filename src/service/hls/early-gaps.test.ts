import { expect, test } from 'vitest';
import { EarlyGaps } from './early-gaps.ts';

const init = { id: 'a1', bytes: Buffer.alloc(0), tracks: {} };

/** The numbers of the gaps before this segment, after 2 s of each of these were missing. */
function findBefore(msn: number, missing: readonly number[], windowSeconds = 10): number[] {
  const gaps = new EarlyGaps(() => windowSeconds);
  for (const gap of missing) {
    const place = { msn: gap, discontinuity: false, discontinuitySequence: 0, shiftMs: 0 };
    gaps.add({ place, startMs: gap * 2_000, programDateTimeMs: gap * 2_000, durationSeconds: 2 });
  }
  const numbers = gaps.takeBefore(msn, init).map((segment) => segment.msn);
  expect(gaps.takeBefore(msn, init)).toEqual([]);
  return numbers;
}

const upTo = (count: number) => [...Array(count).keys()];

test('a rendition that is made late has as many gaps as its window holds, however long it was away', () => {
  expect(findBefore(4, upTo(4))).toEqual([0, 1, 2, 3]);
  expect(findBefore(5, upTo(5))).toEqual([0, 1, 2, 3, 4]);
  expect(findBefore(6, upTo(6))).toEqual([1, 2, 3, 4, 5]);
  expect(findBefore(10_000, upTo(10_000))).toEqual([9_995, 9_996, 9_997, 9_998, 9_999]);
  // They fill at least the window.
  expect(findBefore(10, upTo(10), 9)).toEqual([5, 6, 7, 8, 9]);
});

test('gaps have no hole between them, nor before the segment', () => {
  expect(findBefore(8, [0, 1, 5, 6, 7])).toEqual([5, 6, 7]);
  expect(findBefore(9, [5, 6, 7])).toEqual([]);
  expect(findBefore(0, [])).toEqual([]);
});
