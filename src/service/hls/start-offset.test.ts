import { expect, test, vi } from 'vitest';
import { appendSegment, beginSegment } from '../../../test/support/append-segment.ts';
import { forgetfulFolder, packagedSegment } from '../../../test/support/segments.ts';
import { MediaMemory } from './media-memory.ts';
import { SegmentStore } from './segment-store.ts';
import { findStartOffset } from './start-offset.ts';
import type { SegmentStoreOptions } from './stored-segment.ts';

const part = (independent: boolean) => ({ bytes: Buffer.from('part'), durationSeconds: 0.5, independent });

/** A playlist whose target duration is 2 s, of segments of 2 s: those marked `k` begin with a keyframe; then half a second more. */
function playlist(segments: string, open?: 'k' | '-', options?: SegmentStoreOptions) {
  const store = new SegmentStore(options);
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
  ['kkkkk', '-', -6],
  ['kkk--', '-', -6],
  ['k--', '-', -6],
  ['k--', undefined, -6],
  ['kk---', '-', -7.5],
  ['kk---', 'k', -7.5],
  ['kk---', undefined, -7],
  ['k-----', '-', -11.5],
  ['-----', '-', undefined],
  [`k${'-'.repeat(20)}`, '-', undefined],
])('%s and then %s: players are to begin %s s from the end', (segments, open, offset) => {
  expect(findStartOffset(playlist(segments, open))).toBe(offset);
});

test('a segment that has gone to disk is known by its keyframe as well', async () => {
  const store = playlist(`k${'-'.repeat(8)}`, '-', { folder: forgetfulFolder, memory: new MediaMemory(5_000) });
  await vi.waitUntil(() => store.segments[0]?.path !== undefined, { interval: 1 });
  expect(findStartOffset(store)).toBe(-17.5);
});
