import { expect, test } from 'vitest';
import { formatAge, formatCoarseAge, formatShortAge } from './age.ts';

const now = 1_800_000_000_000;

test('an age is just now, then ticks in tenths, then seconds, then coarser units', () => {
  expect(
    [-5, 0, 0.99, 1, 9.96, 12.9, 60, 7_300, 90_000, 47 * 3600, 200_000].map((s) => formatAge(now - s * 1000, now)),
  ).toEqual([
    'just now',
    'just now',
    'just now',
    '1.0\u00a0s ago',
    '10.0\u00a0s ago',
    '12\u00a0s ago',
    '1\u00a0min ago',
    '2\u00a0h ago',
    '1\u00a0day ago',
    '1\u00a0day ago',
    '2\u00a0days ago',
  ]);
});

test('a coarse age never shows seconds', () => {
  expect(formatCoarseAge(now - 59_000, now)).toBe('just now');
});

test('a short age is a coarse one without a word for the past', () => {
  expect([59, 60, 3_599, 3_600, 86_399, 86_400, 200_000].map((s) => formatShortAge(now - s * 1000, now))).toEqual([
    'just now',
    '1\u00a0min',
    '59\u00a0min',
    '1\u00a0h',
    '23\u00a0h',
    '1\u00a0day',
    '2\u00a0days',
  ]);
});
