import { expect, test } from 'vitest';
import { SegmentTrail } from './segment-trail.ts';

const segment = (durationSeconds: number) => ({ programDateTimeMs: 1_700_000_000_000, durationSeconds });

test('the length of segments is that of one session, and their dates continue', () => {
  const trail = new SegmentTrail();
  const arrival = { atMs: 10_000, wallMs: 1_700_000_000_000 };
  for (let index = 0; index < 5; index += 1) trail.add(segment(2), arrival);
  const { endsAtMs } = trail;
  trail.startSession();
  expect([trail.typicalSeconds, trail.endsAtMs]).toEqual([undefined, endsAtMs]);
  trail.add(segment(8), arrival);
  expect(trail.typicalSeconds).toBe(8);
});
