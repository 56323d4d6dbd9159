import { expect, test } from 'vitest';
import { RunWatch } from './run-watch.ts';

/** Checks a run that starts at 10 s of its media once a second; each of `fedAndOut` is what is due and what is out then. */
function watch(...fedAndOut: [dueMs: number, lastOutMs: number | undefined][]) {
  const run: { startMs: number; dueMs: number; lastOutMs: number | undefined } = {
    startMs: 10_000,
    dueMs: 10_000,
    lastOutMs: undefined,
  };
  const runWatch = new RunWatch(run, { slowMs: 3_000, maxLagMs: 1_000, stallMs: 4_000 }, 0);
  return fedAndOut.map(([dueMs, lastOutMs], index) => {
    run.dueMs = dueMs;
    run.lastOutMs = lastOutMs;
    return runWatch.check((index + 1) * 1_000);
  });
}

test('a run with a small lag does well, however long no media comes', () => {
  expect(watch([11_000, undefined], [11_000, 10_900], [12_000, 11_000], ...Array(9).fill([12_000, 11_000]))).toEqual(
    Array(12).fill('well'),
  );
});

test('a run that is behind lags, and is slow once it has fallen further behind for long enough', () => {
  expect(watch([13_000, 11_000], [14_000, 11_800], [15_000, 12_600], [16_000, 13_400], [17_000, 17_000])).toEqual([
    'lagging',
    'lagging',
    'lagging',
    'slow',
    'well',
  ]);
  // The lag is constant.
  expect(watch(...[13_000, 14_000, 15_000, 16_000].map((dueMs): [number, number] => [dueMs, dueMs - 2_000]))).toEqual(
    Array(4).fill('lagging'),
  );
});

test('a run that puts out nothing for long enough is stalled', () => {
  expect(watch(...Array(5).fill([12_000, 10_500]))).toEqual(['lagging', 'lagging', 'lagging', 'lagging', 'stalled']);
  expect(watch(...Array(4).fill([12_000, undefined]))).toEqual(['lagging', 'lagging', 'lagging', 'stalled']);
});
