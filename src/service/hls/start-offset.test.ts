import { expect, test } from 'vitest';
import { appendSegment, beginSegment } from '../../../test/support/append-segment.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { SegmentStore } from './segment-store.ts';
import { findStartOffset } from './start-offset.ts';

const part = (independent: boolean) => ({ bytes: Buffer.from('part'), durationSeconds: 0.5, independent });

/** A playlist whose target duration is 2 s, of segments of 2 s: those marked `k` begin with a keyframe; then half a second more. */
function playlist(segments: string, open?: 'k' | '-') {
  const store = new SegmentStore();
  for (const mark of segments) {
    appendSegment(
      store,
      packagedSegment({ durationSeconds: 2, parts: [part(mark === 'k'), part(false), part(false), part(false)] }),
    );
  }
  if (open) {
    beginSegment(store, packagedSegment());
    store.addPart(part(open === 'k'));
  }
  return store;
}

test.each<[string, 'k' | '-' | undefined, number | undefined]>([
  ['kkkkk', 'k', undefined],
  ['kkkkk', undefined, undefined],
  // Only what is within the hold-back of 6 s counts.
  ['--kkkk', 'k', undefined],
  // A player may begin in any part that it sees.
  ['kkkkk', '-', -5.5],
  ['kkk--', '-', -5.5],
  ['kk---', '-', -7.5],
  ['kk---', 'k', -7.5],
  ['kk---', undefined, -7],
  ['k-----', '-', -11.5],
  ['-----', '-', undefined],
  [`k${'-'.repeat(20)}`, '-', undefined],
])('%s and then %s: players are to begin %s s from the end', (segments, open, offset) => {
  expect(findStartOffset(playlist(segments, open))).toBe(offset);
});
