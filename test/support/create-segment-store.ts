import { MediaMemory } from '../../src/service/hls/media-memory.ts';
import { SegmentStore } from '../../src/service/hls/segment-store.ts';
import type { SegmentStoreOptions } from '../../src/service/hls/stored-segment.ts';

/** Complete options of a segment store: a window of 60 s in unbounded memory. */
export function storeOptions(changes: Partial<SegmentStoreOptions> = {}): SegmentStoreOptions {
  return {
    windowSeconds: () => 60,
    folder: undefined,
    memory: new MediaMemory(Number.POSITIVE_INFINITY),
    onShortened: () => {},
    ...changes,
  };
}

/** A segment store with {@link storeOptions}. */
export function createSegmentStore(changes: Partial<SegmentStoreOptions> = {}): SegmentStore {
  return new SegmentStore(storeOptions(changes));
}
