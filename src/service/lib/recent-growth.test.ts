import { expect, test } from 'vitest';
import { RecentGrowth } from './recent-growth.ts';

test('a number that grows steadily has grown by what it gains in the window', () => {
  const growth = new RecentGrowth(60_000);
  expect(growth.read(0)).toBe(0);
  for (let ms = 0; ms <= 300_000; ms += 500) growth.note(ms / 500, ms);
  expect(growth.read(300_000)).toBe(120);
});

test('before the window is full, growth counts from the first note', () => {
  const growth = new RecentGrowth(60_000);
  growth.note(50, 1_000);
  growth.note(50, 1_500);
  growth.note(56, 1_700);
  growth.note(60, 9_000);
  expect(growth.read(10_000)).toBe(10);
});

test('growth is over once it is older than the window, also if nothing is noted any more', () => {
  const growth = new RecentGrowth(60_000);
  growth.note(0, 0);
  growth.note(8, 5_000);
  expect([growth.read(64_999), growth.read(65_000)]).toEqual([8, 0]);
});

test('a number that falls counts from there', () => {
  const growth = new RecentGrowth(60_000);
  growth.note(0, 0);
  growth.note(8, 5_000);
  growth.note(2, 10_000);
  growth.note(3, 20_000);
  expect(growth.read(20_000)).toBe(1);
});
