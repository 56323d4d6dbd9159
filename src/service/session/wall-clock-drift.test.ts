import { expect, test } from 'vitest';
import { WallClockDrift } from './wall-clock-drift.ts';

test('segments that arrive as usual, early or a little late change nothing', () => {
  const drift = new WallClockDrift();
  expect(
    [100, 130, 40, 540].map((lateMs, index) =>
      drift.correction({ endsAtMs: index * 2_000, durationMs: 2_000 }, index * 2_000 + lateMs),
    ),
  ).toEqual([0, 0, 0, 0]);
});

test('every further segment of a publisher at half real time is moved by the time it lost', () => {
  const drift = new WallClockDrift();
  let endsAtMs = 1_000;
  const corrections = [1, 2, 3, 4].map((count) => {
    const correction = drift.correction({ endsAtMs, durationMs: 1_000 }, count * 2_000);
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
    const correction = drift.correction({ endsAtMs, durationMs: 2_000 }, wallMs);
    const behindMs = wallMs - endsAtMs;
    endsAtMs += correction + 2_000;
    return behindMs;
  });
  expect(behind).toEqual([105, 210, 205, 205, 205, 205]);
});

test.each([0.3, 0.5, 0.7, 0.9])('dates follow a publisher at %d of real time whose segments are of 1 to 6 s', (pace) => {
  const drift = new WallClockDrift();
  let media = 0;
  let startsAtMs = 0;
  const behind = [2_000, 1_000, 6_000, 1_000, 1_000, 4_000, 6_000, 2_000].map((durationMs) => {
    const behindMs = media / pace - startsAtMs;
    media += durationMs;
    const endsAtMs = startsAtMs + durationMs;
    startsAtMs = endsAtMs + drift.correction({ endsAtMs, durationMs }, media / pace);
    return Math.round(behindMs);
  });
  // What a usual delay may be stays.
  expect(behind.slice(2)).toEqual([100, 100, 100, 100, 100, 100]);
});

/** Segments of 2 s that arrive at these times: by how much the next ones are moved, and how far ahead of its arrival each one ends. */
function follow(arrivals: readonly number[]): { moved: number[]; aheadMs: number[] } {
  const drift = new WallClockDrift();
  let endsAtMs = 2_000;
  const followed = arrivals.map((wallMs) => {
    const aheadMs = endsAtMs - wallMs;
    const moved = drift.correction({ endsAtMs, durationMs: 2_000 }, wallMs);
    endsAtMs += moved + 2_000;
    return { moved, aheadMs };
  });
  return { moved: followed.map(({ moved }) => moved), aheadMs: followed.map(({ aheadMs }) => aheadMs) };
}

test('a publisher that is held up and catches up keeps its dates: none is in the future', () => {
  expect(follow([2_050, 4_050, 6_750, 8_060, 10_050])).toEqual({
    moved: [0, 0, 0, 0, 0],
    aheadMs: [-50, -50, -750, -60, -50],
  });
  expect(follow([2_000, 7_000, 7_100, 8_000, 10_000, 12_000])).toEqual({
    moved: [0, 0, 0, 0, 0, 0],
    aheadMs: [0, -3_000, -1_100, 0, 0, 0],
  });
  // The segment before it was a little late, too.
  expect(follow([2_050, 4_050, 6_100, 8_750, 10_060, 12_050])).toEqual({
    moved: [0, 0, 0, 0, 0, 0],
    aheadMs: [-50, -50, -100, -750, -60, -50],
  });
});

test('a publisher that is held up and does not catch up has its dates moved after its next segment', () => {
  expect(follow([2_050, 4_050, 9_050, 11_030, 13_030])).toEqual({
    moved: [0, 0, 0, 2_980, 0],
    aheadMs: [-50, -50, -3_050, -3_030, -50],
  });
});

test('a publisher that catches up only after its dates were moved has them moved back: none is in the future', () => {
  expect(follow([2_000, 7_000, 9_000, 9_100, 10_000, 12_000])).toEqual({
    moved: [0, 0, 3_000, -1_900, -1_100, 0],
    aheadMs: [0, -3_000, -3_000, 1_900, 1_100, 0],
  });
});

test('a publisher that begins with a burst of buffered media is not dated in the future for good', () => {
  const drift = new WallClockDrift();
  expect([
    drift.correction({ endsAtMs: 2_000, durationMs: 2_000 }, 100),
    drift.correction({ endsAtMs: 2_100, durationMs: 2_000 }, 2_100),
  ]).toEqual([-1_900, 0]);
});
