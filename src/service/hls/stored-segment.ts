import type { MediaMemory } from './media-memory.ts';
import type { PackagedPart, PackagedSegment, SegmentPlace, SegmentStart } from './packaged-segment.ts';
import type { SegmentFolder } from './segment-archive.ts';
import type { FirstNumbers } from './segment-places.ts';
import type { SpillableSegment } from './segment-spill.ts';

/** A segment with its place in the playlist. */
export type StoredSegment = Omit<PackagedSegment, 'place' | 'targets'> &
  SegmentPlace &
  Pick<SpillableSegment, 'path'> & {
    gapAfter?: number;
    /** Which of its parts start with an independent frame, by index; its parts say so too, but only in memory. */
    independentParts: readonly number[];
  };

/** A segment that is a gap has no media. */
export const emptySegment = {
  parts: [],
  sizeBytes: 0,
  videoFrames: 0,
  videoBytes: 0,
  typicalFps: 0,
  independentParts: [],
  gap: true,
} as const;

/** The segment that is being filled: its parts play already. */
export type FillingSegment = Omit<SegmentStart, 'place' | 'targets'> &
  SegmentPlace & { parts: readonly PackagedPart[]; gapAfter?: number };

/** `later`: the part will come next. */
export type FoundPart = { kind: 'here'; part: PackagedPart } | { kind: 'later' } | { kind: 'never' };

/** The first numbers continue those that an earlier run of the service gave to this rendition's segments. */
export interface SegmentStoreOptions extends FirstNumbers {
  /** How much of the stream a playlist offers, in seconds. It may change from one playlist to the next. */
  windowSeconds: () => number;
  /** Stores segments that don't fit into `memory`; without it they are dropped. */
  folder: SegmentFolder | undefined;
  memory: MediaMemory;
  /** The most bytes of the live edge that stay in memory, however long it is. */
  maxEdgeBytes?: number;
  /** Called when the window becomes shorter than configured. */
  onShortened: (why: { diskFull: boolean }) => void;
}
