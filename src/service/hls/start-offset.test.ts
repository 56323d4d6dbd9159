import { expect, test } from 'vitest';
import { appendSegment, beginSegment, completeSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { forgetfulFolder, packagedSegment } from '../../../test/support/segments.ts';
import { soon } from '../../../test/support/soon.ts';
import { MediaMemory } from './media-memory.ts';
import { findStartOffset } from './start-offset.ts';
import type { SegmentStoreOptions } from './stored-segment.ts';

const part = (independent: boolean) => ({ bytes: Buffer.from('part'), durationSeconds: 0.5, independent });

/**
 * A playlist whose target duration is 2 s, of segments of 2 s: those marked `k` begin with a keyframe, and those marked `g` as well,
 * but they have only their first part; then half a second more.
 */
function playlist(segments: string, open?: 'k' | '-', options?: Partial<SegmentStoreOptions>) {
  const store = createSegmentStore(options);
  for (const mark of segments) {
    const parts = [part(mark !== '-'), part(false), part(false), part(false)];
    const segment = packagedSegment({ durationSeconds: 2, parts, ...(mark === 'g' && { gap: true }) });
    beginSegment(store, segment);
    for (const one of segment.gap ? parts.slice(0, 1) : parts) store.addPart(one);
    completeSegment(store, segment);
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
  // Only segments within the hold-back of 6 s count.
  ['k-kkkk', 'k', undefined],
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
  // A gap can't be played: players can't begin in it, and it doesn't count as a divided GOP.
  ['kkg--', '-', -7.5],
  ['kkkgk', 'k', undefined],
])('%s and then %s: players are to begin %s s from the end', (segments, open, offset) => {
  expect(findStartOffset(playlist(segments, open))).toBe(offset);
});

test('in a segment shorter than two seconds, players are to begin in its middle', () => {
  const store = playlist('');
  const second = (independent: boolean) => packagedSegment({ durationSeconds: 1, parts: [part(independent), part(false)] });
  for (const mark of 'k------') appendSegment(store, second(mark === 'k'));
  expect(findStartOffset(store)).toBe(-6.5);
});

test('a segment that has gone to disk is known by its keyframe as well', async () => {
  const store = playlist(`k${'-'.repeat(8)}`, '-', { folder: forgetfulFolder, memory: new MediaMemory(5_000) });
  await soon(() => expect(store.segments[0]?.path).toBeDefined());
  expect(findStartOffset(store)).toBe(-17.5);
});
