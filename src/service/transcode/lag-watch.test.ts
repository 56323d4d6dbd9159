import { expect, test } from 'vitest';
import { LagWatch } from './lag-watch.ts';

const bounds = { slowMs: 5_000, maxLagMs: 1_000 };

/** Whether it is slow, second by second, with media that comes at `pace` times real time. */
function watch(lags: number[], pace = 1): boolean[] {
  const watched = new LagWatch(bounds);
  return lags.map((lagMs, second) => {
    const atMs = second * 1_000;
    return watched.isSlow({ atMs, outMs: pace * atMs - lagMs, lagMs });
  });
}

test('a lag that grows for 5 s is slow, from then on until it shrinks', () => {
  expect(watch([1_100, 1_200, 1_300, 1_400, 1_500, 1_600, 1_700, 1_100])).toEqual([
    ...[false, false, false, false, false],
    ...[true, true, false],
  ]);
});

test('a lag that is small, constant, shrinking or interrupted is not slow', () => {
  expect(watch([100, 200, 300, 400, 500, 600, 1_000])).not.toContain(true);
  expect(watch([2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000])).not.toContain(true);
  expect(watch([5_000, 4_000, 3_900, 3_800, 3_700, 3_600, 3_500])).not.toContain(true);
  expect(watch([1_100, 1_200, 1_300, 1_400, 900, 1_600, 1_700, 1_800, 1_900])).not.toContain(true);
});

test('a lag is judged by its last 5 s, and counts above 1 s', () => {
  expect(watch([1_100, 1_600, 1_600, 1_600, 1_600, 1_600, 1_600, 1_600])).toEqual([
    ...[false, false, false, false, false],
    ...[true, false, false],
  ]);
  expect(watch([1_000, 1_100, 1_200, 1_300, 1_400, 1_500, 1_600])).toEqual([
    ...[false, false, false, false, false, false],
    true,
  ]);
});

test('an encode that gets media faster than real time is slow only if it is slower than real time', () => {
  // It encodes at 1.5 times real time, and its media arrives at twice real time.
  expect(watch([1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500], 2)).not.toContain(true);
  // At 0.9 times.
  expect(watch([1_100, 2_200, 3_300, 4_400, 5_500, 6_600, 7_700], 2)).toEqual([
    ...[false, false, false, false, false],
    ...[true, true],
  ]);
});
