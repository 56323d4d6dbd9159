import { describe, expect, it } from 'vitest';
import { appendSegment } from '../../../test/support/append-segment.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { SegmentStore } from './segment-store.ts';

const numbers = (store: SegmentStore) => store.segments.map(({ msn }) => msn);
const appendMany = (store: SegmentStore, count: number, durationSeconds = 2) => {
  for (let index = 0; index < count; index += 1) appendSegment(store, packagedSegment({ durationSeconds }));
};

describe('SegmentStore', () => {
  it('keeps the window, and not a segment more than it needs', () => {
    const store = new SegmentStore({ windowSeconds: 20 });
    appendMany(store, 25);
    expect(numbers(store)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('keeps six segments however long they are', () => {
    const store = new SegmentStore({ windowSeconds: 20 });
    appendMany(store, 9, 10);
    expect(numbers(store)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it('serves a segment that left the playlist for its own time and that of the longest playlist', () => {
    const store = new SegmentStore({ windowSeconds: 12 });
    appendMany(store, 7);
    expect(numbers(store)).toEqual([1, 2, 3, 4, 5, 6]);
    // The playlist was 14 s long for a moment: segment 0 stays for 16 s, eight segments.
    appendMany(store, 7);
    expect(store.findSegment(0)?.msn).toBe(0);
    appendMany(store, 1);
    expect(store.findSegment(0)).toBeUndefined();
    expect(store.findSegment(1)?.msn).toBe(1);
    expect(store.findSegment(14)?.msn).toBe(14);
    expect(store.findSegment(15)).toBeUndefined();
  });

  it('serves an init segment as long as a segment needs it', () => {
    const store = new SegmentStore({ windowSeconds: 12 });
    const other = { id: 'b2', bytes: Buffer.from('init b2'), tracks: {} };
    appendMany(store, 1);
    for (let index = 0; index < 13; index += 1) appendSegment(store, packagedSegment({ init: other }));
    expect(store.findInit('a1')?.id).toBe('a1');
    appendSegment(store, packagedSegment({ init: other }));
    expect(store.findInit('a1')).toBeUndefined();
    expect(store.findInit('b2')).toBe(other);
  });

  it('begins without a discontinuity and counts those that come', () => {
    const store = new SegmentStore({ windowSeconds: 4 });
    appendSegment(store, packagedSegment({ discontinuity: true }));
    appendMany(store, 1);
    appendSegment(store, packagedSegment({ discontinuity: true }));
    expect(store.segments.map(({ discontinuity, discontinuitySequence }) => [discontinuity, discontinuitySequence])).toEqual([
      [false, 0],
      [false, 0],
      [true, 1],
    ]);
    expect(store.discontinuitySequence).toBe(1);
  });

  it('ends, and starts again with a discontinuity and higher numbers, the old segments still there for a while', () => {
    const store = new SegmentStore({ windowSeconds: 20 });
    appendMany(store, 3, 8);
    store.end();
    expect([store.ended, numbers(store), store.targetDurationSeconds]).toEqual([true, [0, 1, 2], 8]);
    appendSegment(store, packagedSegment());
    expect([store.ended, numbers(store), store.targetDurationSeconds]).toEqual([false, [3], 2]);
    expect(store.segments[0]).toMatchObject({ discontinuity: true, discontinuitySequence: 1 });
    expect(store.findSegment(2)?.msn).toBe(2);
  });

  it('continues the numbers of an earlier run of the service', () => {
    const store = new SegmentStore({ firstMediaSequence: 70, firstDiscontinuitySequence: 4 });
    expect([store.nextMediaSequence, store.discontinuitySequence]).toEqual([70, 4]);
    appendSegment(store, packagedSegment({ discontinuity: true }));
    expect(store.segments[0]).toMatchObject({ msn: 70, discontinuity: true, discontinuitySequence: 5 });
    expect([store.nextMediaSequence, store.discontinuitySequence]).toEqual([71, 5]);
  });

  it('changes its version with every change', () => {
    const store = new SegmentStore();
    const versions = [store.version];
    for (const durationSeconds of [2, 9.5, 2]) {
      appendSegment(store, packagedSegment({ durationSeconds }));
      versions.push(store.version);
    }
    store.end();
    versions.push(store.version);
    store.end();
    expect(store.version).toBe(versions.at(-1));
    expect(new Set(versions).size).toBe(versions.length);
  });

  it('keeps the promise of its first segment to its end, and makes another when it starts again', () => {
    const store = new SegmentStore();
    const promise = (durationSeconds: number, partMs: number) => {
      appendSegment(store, packagedSegment({ targets: { durationSeconds, partMs } }));
      return [store.targetDurationSeconds, store.partTargetSeconds, store.targets];
    };
    const first = [2, 0.2, { durationSeconds: 2, partMs: 200 }];
    expect([store.targets, promise(2, 200), promise(8, 208)]).toEqual([undefined, first, first]);
    store.end();
    expect([store.targetDurationSeconds, store.partTargetSeconds, store.targets]).toEqual([2, 0.2, undefined]);
    expect(promise(8, 208)).toEqual([8, 0.208, { durationSeconds: 8, partMs: 208 }]);
  });

  it('has nothing to end before its first segment', () => {
    const store = new SegmentStore();
    store.end();
    expect(store.ended).toBe(false);
  });
});
