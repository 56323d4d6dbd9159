import { describe, expect, it } from 'vitest';
import { appendSegment, beginSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { parseDeliveryDirectives } from './delivery-directives.ts';
import type { SegmentStore } from './segment-store.ts';

const part = (durationSeconds = 0.2) => ({ bytes: Buffer.from('part'), durationSeconds, independent: true });

/** A store that has segments 0 and 1, of two parts each, and `openParts` parts of segment 2. */
function fillStore({ openParts, partSeconds = 0.2 }: { openParts?: number; partSeconds?: number }): SegmentStore {
  const store = createSegmentStore();
  const parts = [part(partSeconds), part(partSeconds)];
  for (const durationSeconds of [2, 2]) appendSegment(store, packagedSegment({ durationSeconds, parts }));
  if (openParts === undefined) return store;
  beginSegment(store, packagedSegment());
  for (let index = 0; index < openParts; index += 1) store.addPart(part(partSeconds));
  return store;
}

/** The highest part of this segment that a player may ask for; undefined if it may ask for all of 0 to 99. */
function findLastPart(store: SegmentStore, msn: number): number | undefined {
  const isRefused = (index: number) => {
    try {
      parseDeliveryDirectives({ _HLS_msn: `${msn}`, _HLS_part: `${index}` }, store);
      return false;
    } catch {
      return true;
    }
  };
  const first = Array.from({ length: 100 }, (_, index) => index).find(isRefused);
  return first === undefined ? undefined : first - 1;
}

describe('what a player may ask for with a playlist', () => {
  it.each([
    ['open with two parts', { openParts: 2 }, { 1: undefined, 2: 16, 3: 14 }],
    ['open without a part', { openParts: 0 }, { 1: undefined, 2: 14, 3: 14 }],
    ['not open yet', {}, { 1: undefined, 2: 14, 3: 14 }],
    ['open with a part of 0.45 s', { openParts: 1, partSeconds: 0.45 }, { 1: undefined, 2: 7, 3: 6 }],
    ['open with a part of 1 s', { openParts: 1, partSeconds: 1 }, { 1: undefined, 2: 3, 3: 2 }],
    ['open with a part of 2 s', { openParts: 1, partSeconds: 2 }, { 1: undefined, 2: 3, 3: 2 }],
  ])('is 3 s of parts ahead of the newest, and at least three parts, if the segment is %s', (_, state, last) => {
    const store = fillStore(state);
    expect(Object.fromEntries([1, 2, 3].map((msn) => [msn, findLastPart(store, msn)]))).toEqual(last);
    expect(findLastPart(store, 4)).toBe(-1);
  });

  it.each([
    [{}, { until: undefined, delta: false }],
    [{ _HLS_skip: 'YES' }, { until: undefined, delta: true }],
    [{ _HLS_skip: 'v2' }, { until: undefined, delta: true }],
    [{ _HLS_skip: 'NO' }, { until: undefined, delta: false }],
    [{ _HLS_msn: '3' }, { until: { msn: 3, partIndex: undefined }, delta: false }],
    [
      { _HLS_msn: '2', _HLS_part: '0', _HLS_skip: 'YES' },
      { until: { msn: 2, partIndex: 0 }, delta: true },
    ],
  ])('%o is a segment or a part to wait for, and a delta update where it is asked for', (query, directives) => {
    expect(parseDeliveryDirectives(query, fillStore({ openParts: 2 }))).toEqual(directives);
  });

  it('is the whole playlist if that has ended, whatever is asked for', () => {
    const store = fillStore({ openParts: 2 });
    store.end();
    const query = { _HLS_msn: '99', _HLS_part: 'x', _HLS_skip: 'YES' };
    expect(parseDeliveryDirectives(query, store)).toEqual({ until: undefined, delta: false });
  });
});
