import { expect, test } from 'vitest';
import { RecentFailures } from './recent-failures.ts';

test('failures count while they are within the window', () => {
  const failures = new RecentFailures(60_000);
  expect([0, 10_000, 59_999].map((now) => failures.add(now))).toEqual([1, 2, 3]);
  // The first one is exactly one window ago.
  expect(failures.add(60_000)).toBe(3);
  expect(failures.add(200_000)).toBe(1);
});

test('forgotten failures no longer count', () => {
  const failures = new RecentFailures(60_000);
  failures.add(0);
  failures.forget();
  expect(failures.add(1)).toBe(1);
});
