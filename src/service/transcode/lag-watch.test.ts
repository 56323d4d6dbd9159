import { expect, test } from 'vitest';
import { LagWatch } from './lag-watch.ts';

const bounds = { slowMs: 5_000, maxLagMs: 1_000 };

/** Whether it is slow, second by second. */
function watch(lags: number[]): boolean[] {
  const lag = new LagWatch(bounds);
  return lags.map((lagMs, second) => lag.isSlow(second * 1_000, lagMs));
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
