import { expect, test } from 'vitest';
import { RecentTimes } from './recent-times.ts';

test('failures count while they are within the window', () => {
  const failures = new RecentTimes(60_000);
  expect([0, 10_000, 59_999].map((now) => failures.add(now))).toEqual([1, 2, 3]);
  // The first one is exactly one window ago.
  expect(failures.add(60_000)).toBe(3);
  expect(failures.add(200_000)).toBe(1);
});

test('forgotten failures no longer count', () => {
  const failures = new RecentTimes(60_000);
  failures.add(0);
  failures.forget();
  expect(failures.add(1)).toBe(1);
});

test('they can be counted without another one', () => {
  const times = new RecentTimes(60_000);
  times.add(0);
  times.add(10_000);
  expect([59_999, 60_000, 70_000].map((now) => times.count(now))).toEqual([2, 1, 0]);
});
