import { expect, test } from 'vitest';
import { longestHoldMs } from './watched-pictures.ts';

const height = 180;

test('a picture stayed until the next one, and not while pictures were shown of which the page heard nothing', () => {
  const pictures = [
    { atMs: 1_000, place: 1, height },
    { atMs: 1_600, place: 2, height },
    { atMs: 3_600, place: 32, height },
    { atMs: 3_666.4, place: 33, height },
  ];
  expect(longestHoldMs(pictures)).toBe(600);
  // Two pictures that the page missed don't fill ten seconds.
  expect(longestHoldMs([...pictures, { atMs: 13_666.4, place: 36, height }])).toBe(9_867);
  expect(longestHoldMs(pictures.slice(2))).toBe(66);
});
