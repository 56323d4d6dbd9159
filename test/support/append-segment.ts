import type { PackagedSegment, SegmentStart } from '../../src/service/hls/packaged-segment.ts';
import type { SegmentStore } from '../../src/service/hls/segment-store.ts';
import type { StoredSegment } from '../../src/service/hls/stored-segment.ts';

/** A segment before the store has placed it. `discontinuity`: its timestamps or tracks don't continue those of the segment before. */
export type UnplacedSegment<Start extends SegmentStart = PackagedSegment> = Omit<Start, 'place'> & { discontinuity: boolean };

/** Begins a segment at a store's next place. */
export function beginSegment(store: SegmentStore, start: UnplacedSegment<SegmentStart>): void {
  store.begin({ ...start, place: store.places.begin(start.startMs, start.discontinuity) });
}

/** Completes the segment that was begun. */
export function completeSegment(store: SegmentStore, segment: UnplacedSegment): void {
  const { open } = store;
  if (open === undefined) throw new Error('No segment was begun.');
  const { msn, discontinuity, discontinuitySequence, shiftMs } = open;
  const placed = { ...segment, place: { msn, discontinuity, discontinuitySequence, shiftMs } };
  store.places.complete(placed);
  store.complete(placed);
}

/** Appends a complete segment at a store's next place. */
export function appendSegment(store: SegmentStore, segment: UnplacedSegment): StoredSegment {
  beginSegment(store, segment);
  completeSegment(store, segment);
  return store.segments.at(-1) as StoredSegment;
}
