import { expect, test } from 'vitest';
import { SegmentLength } from './segment-length.ts';

function typicalOf(...seconds: number[]): number | undefined {
  const length = new SegmentLength();
  for (const each of seconds) length.add(each);
  return length.typicalSeconds;
}

test('one shortened segment does not change the segment length', () => {
  expect([typicalOf(), typicalOf(2), typicalOf(2, 0.1), typicalOf(2, 2, 2.1, 2, 0.1)]).toEqual([undefined, 2, 2, 2]);
});

test('a new keyframe interval shows after three segments', () => {
  expect([typicalOf(2, 2, 2, 2, 8, 8), typicalOf(2, 2, 2, 2, 8, 8, 8)]).toEqual([2, 8]);
});
