import { expect, test } from 'vitest';
import { findDate, findPosition, formatBehind, isInWindow, measureBehind, measureWindow, type Timeline } from './timeline.ts';

const timeline: Timeline = { startSeconds: 100, liveSeconds: 160, positionSeconds: 130, slackSeconds: 1.5 };

test('the distance is measured from the live position, and up to one second is live', () => {
  const behindAt = (positionSeconds: number) => measureBehind({ ...timeline, positionSeconds });
  expect([130, 158, 159.2, 160, 161].map(behindAt)).toEqual([30, 2, 0, 0, 0]);
});

test('rewinding reaches the oldest moment, less a margin for what may be gone before it loads', () => {
  expect(measureWindow(timeline)).toBe(58);
  expect(measureWindow({ ...timeline, startSeconds: 159 })).toBe(0);
});

test('a position behind live is clamped to the window', () => {
  expect([-5, 0, 30, 58, 500].map((behind) => findPosition(timeline, behind))).toEqual([160, 160, 130, 102, 102]);
});

test('a playhead before the oldest moment is outside the window', () => {
  expect([99.9, 100, 160].map((positionSeconds) => isInWindow({ ...timeline, positionSeconds }))).toEqual([false, true, true]);
});

test('a moment is found by program date-time, but not in a gap or outside the segments', () => {
  const segments = [
    null,
    { start: 10, duration: 2, programDateTime: 50_000 },
    { start: 12, duration: 2, programDateTime: 60_000 },
    { start: 14, duration: 2, programDateTime: null },
  ];
  expect([49_999, 50_500, 55_000, 60_000, 61_999, 62_000].map((dateMs) => findDate(segments, dateMs))).toEqual([
    undefined,
    10.5,
    undefined,
    12,
    13.999,
    undefined,
  ]);
});

test('the time behind live is formatted as a clock', () => {
  expect([5, 59.6, 92, 3_725].map(formatBehind)).toEqual(['−0:05', '−1:00', '−1:32', '−1:02:05']);
});
