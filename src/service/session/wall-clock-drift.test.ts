import { expect, test } from 'vitest';
import { WallClockDrift } from './wall-clock-drift.ts';

test('segments that arrive as usual, early or a little late change nothing', () => {
  const drift = new WallClockDrift();
  expect([100, 130, 40, 540].map((lateMs, index) => drift.correction(index * 2_000, index * 2_000 + lateMs))).toEqual([
    0, 0, 0, 0,
  ]);
});

test('every further segment of a publisher at half real time is moved by the time it lost', () => {
  const drift = new WallClockDrift();
  let endsAtMs = 1_000;
  const corrections = [1, 2, 3, 4].map((count) => {
    const correction = drift.correction(endsAtMs, count * 2_000);
    endsAtMs += correction + 1_000;
    return correction;
  });
  expect(corrections).toEqual([900, 1_000, 1_000, 1_000]);
});

test('dates follow a publisher a little slower than real time from its third segment on', () => {
  const drift = new WallClockDrift();
  let endsAtMs = 2_000;
  const behind = [1, 2, 3, 4, 5, 6].map((count) => {
    const wallMs = count * 2_105;
    const correction = drift.correction(endsAtMs, wallMs);
    const behindMs = wallMs - endsAtMs;
    endsAtMs += correction + 2_000;
    return behindMs;
  });
  expect(behind).toEqual([105, 210, 205, 205, 205, 205]);
});

test('a publisher that was held up and catches up has its dates moved forward, and back again: none is in the future', () => {
  const drift = new WallClockDrift();
  let endsAtMs = 2_000;
  const ahead = [2_000, 7_000, 7_100, 8_000, 10_000, 12_000].map((wallMs) => {
    const correction = drift.correction(endsAtMs, wallMs);
    endsAtMs += correction + 2_000;
    return [correction, endsAtMs - 2_000 - wallMs];
  });
  expect(ahead).toEqual([
    [0, 0],
    [3_000, 0],
    [-1_900, 0],
    [-1_100, 0],
    [0, 0],
    [0, 0],
  ]);
});

test('a publisher that begins with a burst of buffered media is not dated in the future for good', () => {
  const drift = new WallClockDrift();
  expect([drift.correction(2_000, 100), drift.correction(2_100, 2_100)]).toEqual([-1_900, 0]);
});
