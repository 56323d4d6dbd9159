import { expect, test } from 'vitest';
import { formatClock, formatDuration } from './format-duration.ts';

test('a clock shows hours, minutes and seconds, even past a day', () => {
  expect([0, 999, 61_000, 2_537_000, 100 * 3_600_000 + 5_000, -4].map(formatClock)).toEqual([
    '00:00:00',
    '00:00:00',
    '00:01:01',
    '00:42:17',
    '100:00:05',
    '00:00:00',
  ]);
});

test('a duration is shown in its two largest units', () => {
  expect(
    [0, 42.4, 59.5, 60, 185, 3_599, 3_630, 7_800, 86_400, 2 * 86_400 - 60, 4 * 86_400 + 3 * 3600].map(formatDuration),
  ).toEqual([
    '0\u00a0s',
    '42\u00a0s',
    '1\u00a0min',
    '1\u00a0min',
    '3\u00a0min 5\u00a0s',
    '59\u00a0min 59\u00a0s',
    '1\u00a0h',
    '2\u00a0h 10\u00a0min',
    '1\u00a0day',
    '1\u00a0day 23\u00a0h',
    '4\u00a0days 3\u00a0h',
  ]);
});
