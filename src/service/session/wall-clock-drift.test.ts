import { expect, test } from 'vitest';
import { WallClockDrift } from './wall-clock-drift.ts';

test('segments that arrive as usual, early or a little late move nothing', () => {
  const drift = new WallClockDrift();
  expect([100, 130, 40, 540].map((lateMs, index) => drift.correction(index * 2_000, index * 2_000 + lateMs))).toEqual([
    0, 0, 0, 0,
  ]);
});

test('an encoder at half real time has every further segment moved on by what it lost', () => {
  const drift = new WallClockDrift();
  let endsAtMs = 1_000;
  const corrections = [1, 2, 3, 4].map((count) => {
    const correction = drift.correction(endsAtMs, count * 2_000);
    endsAtMs += correction + 1_000;
    return correction;
  });
  expect(corrections).toEqual([0, 1_000, 1_000, 1_000]);
});
