import { describe, expect, it } from 'vitest';
import { appendSegment, beginSegment, completeSegment } from '../../../test/support/append-segment.ts';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { packagedSegment } from '../../../test/support/segments.ts';
import { MediaMemory } from './media-memory.ts';
import type { SegmentStore } from './segment-store.ts';

const numbers = (store: SegmentStore) => store.segments.map(({ msn }) => msn);
const appendMany = (store: SegmentStore, count: number, durationSeconds = 2) => {
  for (let index = 0; index < count; index += 1) appendSegment(store, packagedSegment({ durationSeconds }));
};

describe('SegmentStore', () => {
  it('keeps the window, and not a segment more than it needs', () => {
    const store = createSegmentStore({ windowSeconds: () => 20 });
    appendMany(store, 25);
    expect(numbers(store)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('keeps six segments however long they are', () => {
    const store = createSegmentStore({ windowSeconds: () => 20 });
    appendMany(store, 9, 10);
    expect(numbers(store)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it('keeps three target durations however short the window is', () => {
    const store = createSegmentStore({ windowSeconds: () => 4 });
    appendMany(store, 1, 10);
    appendMany(store, 30);
    expect(numbers(store)).toEqual(Array.from({ length: 15 }, (_, index) => 16 + index));
  });

  it('serves a segment that left the playlist for its own time and that of the longest playlist', () => {
    const store = createSegmentStore({ windowSeconds: () => 12 });
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
    const store = createSegmentStore({ windowSeconds: () => 12 });
    const other = { id: 'b2', bytes: Buffer.from('init b2'), tracks: {} };
    appendMany(store, 1);
    for (let index = 0; index < 13; index += 1) appendSegment(store, packagedSegment({ init: other }));
    expect(store.findInit('a1')?.id).toBe('a1');
    appendSegment(store, packagedSegment({ init: other }));
    expect(store.findInit('a1')).toBeUndefined();
    expect(store.findInit('b2')).toBe(other);
  });

  it('begins without a discontinuity and counts those that come', () => {
    const store = createSegmentStore({ windowSeconds: () => 4 });
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
    const store = createSegmentStore({ windowSeconds: () => 20 });
    appendMany(store, 3, 8);
    store.end();
    expect([store.ended, numbers(store), store.targetDurationSeconds]).toEqual([true, [0, 1, 2], 8]);
    appendSegment(store, packagedSegment());
    expect([store.ended, numbers(store), store.targetDurationSeconds]).toEqual([false, [3], 2]);
    expect(store.segments[0]).toMatchObject({ discontinuity: true, discontinuitySequence: 1 });
    expect(store.findSegment(2)?.msn).toBe(2);
  });

  it('continues the numbers of an earlier run of the service', () => {
    const store = createSegmentStore({ firstMediaSequence: 70, firstDiscontinuitySequence: 4 });
    expect([store.nextMediaSequence, store.discontinuitySequence]).toEqual([70, 4]);
    appendSegment(store, packagedSegment({ discontinuity: true }));
    expect(store.segments[0]).toMatchObject({ msn: 70, discontinuity: true, discontinuitySequence: 5 });
    expect([store.nextMediaSequence, store.discontinuitySequence]).toEqual([71, 5]);
  });

  it('changes its version with every change', () => {
    const store = createSegmentStore();
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
    const store = createSegmentStore();
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
    const store = createSegmentStore();
    store.end();
    expect(store.ended).toBe(false);
  });

  it('tells of each part whether it is here, is the next to come, or never comes', () => {
    const store = createSegmentStore();
    const part = { bytes: Buffer.from('part'), durationSeconds: 1, independent: true };
    appendSegment(store, packagedSegment({ parts: [part, part] }));
    /** Parts 0 to 3 of the segments 0 to 3. */
    const kinds = () =>
      [0, 1, 2, 3].map((msn) => [0, 1, 2, 3].map((index) => store.findPart(msn, index).kind).join(' ')).join(', ');
    const whole = 'here here never never';
    const none = 'never never never never';
    const next = 'later never never never';
    expect(kinds()).toBe([whole, next, none, none].join(', '));
    beginSegment(store, packagedSegment());
    expect(kinds()).toBe([whole, next, none, none].join(', '));
    store.addPart(part);
    expect(kinds()).toBe([whole, 'here later never never', none, none].join(', '));
    store.breakOff(true);
    expect(kinds()).toBe([whole, 'here later never never', none, none].join(', '));
    store.breakOff(false);
    expect(kinds()).toBe([whole, 'here never never never', none, none].join(', '));
    completeSegment(store, packagedSegment({ parts: [part, part] }));
    expect(kinds()).toBe([whole, whole, next, none].join(', '));
    store.leave();
    expect(kinds()).toBe([whole, whole, none, none].join(', '));
    beginSegment(store, packagedSegment());
    store.addPart({ ...part, gap: true });
    expect(kinds()).toBe([whole, whole, none, none].join(', '));
    store.end();
    expect(kinds()).toBe([whole, whole, none, none].join(', '));
  });

  it('has whole segments and the parts so far; a part index past the end of a segment means the next segment', () => {
    const store = createSegmentStore();
    const part = { bytes: Buffer.from('part'), durationSeconds: 1, independent: true };
    appendSegment(store, packagedSegment({ parts: [part, part] }));
    appendSegment(store, packagedSegment({ parts: [part, part] }));
    /** The segments 0 to 3: whether the playlist has them whole, and how many parts from 0 to 3 it has of them. */
    const seen = () =>
      [0, 1, 2, 3].map((msn) => [store.has(msn), [0, 1, 2, 3].filter((index) => store.has(msn, index)).length]);
    expect(seen()).toEqual([
      [true, 4],
      [true, 2],
      [false, 0],
      [false, 0],
    ]);
    beginSegment(store, packagedSegment());
    expect(seen()).toEqual([
      [true, 4],
      [true, 2],
      [false, 0],
      [false, 0],
    ]);
    store.addPart(part);
    expect(seen()).toEqual([
      [true, 4],
      [true, 4],
      [false, 1],
      [false, 0],
    ]);
    completeSegment(store, packagedSegment({ parts: [part, part] }));
    expect(seen()).toEqual([
      [true, 4],
      [true, 4],
      [true, 2],
      [false, 0],
    ]);
  });

  it('tells at once that the open segment will be a gap: where that was first known, even if media still comes', () => {
    const store = createSegmentStore();
    const part = { bytes: Buffer.from('part'), durationSeconds: 1, independent: true };
    appendSegment(store, packagedSegment());
    const told: [number, number | undefined, boolean][] = [];
    store.onChange(() => told.push([store.open?.parts.length ?? 0, store.open?.gapAfter, store.expectsPart]));
    // Without an open segment, nothing changes.
    store.breakOff(true);
    beginSegment(store, packagedSegment());
    store.addPart(part);
    store.breakOff(true);
    store.addPart(part);
    store.breakOff(false);
    expect(told).toEqual([
      [1, undefined, true],
      [1, 1, true],
      [2, 1, true],
      [2, 1, false],
    ]);
    completeSegment(store, { ...packagedSegment(), gap: true });
    told.length = 0;
    beginSegment(store, packagedSegment());
    store.addPart({ ...part, gap: true });
    expect(told).toEqual([[1, 0, false]]);
  });

  it('serves the init segment of its open segment', () => {
    const store = createSegmentStore();
    appendSegment(store, packagedSegment());
    const other = { id: 'b2', bytes: Buffer.from('init b2'), tracks: {} };
    beginSegment(store, packagedSegment({ init: other }));
    expect([store.findInit('a1')?.id, store.findInit('b2'), store.findInit('c3')]).toEqual(['a1', other, undefined]);
  });

  it('ends a broadcast whose first segment never came whole: waiting players learn of it, and there is nothing to play', () => {
    const store = createSegmentStore();
    let changes = 0;
    store.onChange(() => {
      changes += 1;
    });
    beginSegment(store, packagedSegment());
    store.end();
    expect([changes, store.open, store.ended, store.playable]).toEqual([1, undefined, false, false]);
  });

  it('keeps the segments of an earlier playlist by the length of that playlist alone, not of those before it', () => {
    const store = createSegmentStore({ windowSeconds: () => 12 });
    // One of 60 s, then one of 2 s.
    appendMany(store, 6, 10);
    store.end();
    appendMany(store, 1);
    store.end();
    appendMany(store, 1);
    expect(store.findSegment(6)?.msn).toBe(6);
    // Segment 6 stays for its 2 s and those of its playlist.
    appendMany(store, 1);
    expect(store.findSegment(6)).toBeUndefined();
    // The segments that left the playlist of 60 s are still there.
    expect(store.findSegment(5)?.msn).toBe(5);
  });

  it('is not playable any more once it is closed, and keeps no media', () => {
    const store = createSegmentStore({ windowSeconds: () => 12 });
    appendMany(store, 9);
    store.end();
    store.close();
    expect([store.playable, store.segments, store.findSegment(0), store.findSegment(8)]).toEqual([
      false,
      [],
      undefined,
      undefined,
    ]);
  });

  it('reports that memory shortens its window, once until it is full again, and not for segments that had left the playlist', () => {
    const memory = new MediaMemory(20_000);
    const said: number[] = [];
    const store = createSegmentStore({
      windowSeconds: () => 30,
      memory,
      onShortened: () => said.push(store.nextMediaSequence),
    });
    const other = memory.openShare(() => {});
    /** The playlist's first segment, and the oldest that is still there. */
    const extent = () => [numbers(store)[0], [...Array(store.nextMediaSequence).keys()].find((msn) => store.findSegment(msn))];
    appendMany(store, 20);
    expect([extent(), said]).toEqual([[5, 0], []]);
    other.note(4_000, 0);
    appendMany(store, 1);
    expect([extent(), said]).toEqual([[6, 5], []]);
    other.note(10_000, 0);
    appendMany(store, 3);
    expect([extent(), said]).toEqual([[14, 14], [21]]);
    other.note(0, 0);
    appendMany(store, 8);
    expect([extent(), said]).toEqual([[17, 14], [21]]);
    other.note(10_000, 0);
    appendMany(store, 3);
    expect([extent(), said]).toEqual([
      [25, 25],
      [21, 32],
    ]);
  });
});
