import { expect, test } from 'vitest';
import { IdleWatch } from './idle-watch.ts';

/** A computer with two cores: one is idle, the other busy for the given share of its time. */
function watch(busyShares: readonly number[]): (number | undefined)[] {
  let busyMs = 70_000;
  let idleMs = 0;
  const idle = new IdleWatch(
    {
      readCores: () => [
        { busyMs, idleMs },
        { busyMs: 0, idleMs: busyMs + idleMs },
      ],
    },
    3_000,
  );
  return busyShares.map((share, second) => {
    busyMs += share * 1_000;
    idleMs += (1 - share) * 1_000;
    return idle.measure(second * 1_000);
  });
}

test('idle cores are measured over the whole window, and there are none before it is over', () => {
  expect(watch([1, 1, 1, 1, 1])).toEqual([0, 0, 0, 1, 1]);
  expect(watch([0.4, 0.4, 0.4, 0.4]).at(-1)).toBeCloseTo(1.6, 9);
  expect(watch([1, 1, 1, 1, 0, 0, 0]).slice(3)).toEqual([1, expect.closeTo(4 / 3, 9), expect.closeTo(5 / 3, 9), 2]);
});

test('measurements before a pause do not count, and a computer that reports nothing is unknown', () => {
  let elapsedMs = 0;
  const idle = new IdleWatch({ readCores: () => [{ busyMs: 0, idleMs: elapsedMs }] }, 3_000);
  const at = (ms: number) => {
    elapsedMs = ms;
    return idle.measure(ms);
  };
  expect([at(0), at(3_000)]).toEqual([0, 1]);
  expect([at(60_000), at(62_999), at(63_000)]).toEqual([0, 0, 1]);
  expect(new IdleWatch({ readCores: () => [] }, 3_000).measure(0)).toBeUndefined();
});
