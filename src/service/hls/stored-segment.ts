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

/** The segment that is being filled: its parts play already. */
export type FillingSegment = Omit<SegmentStart, 'place' | 'targets'> &
  SegmentPlace & { parts: readonly PackagedPart[]; gapAfter?: number };

/** `later`: the part that comes next. */
export type FoundPart = { kind: 'here'; part: PackagedPart } | { kind: 'later' } | { kind: 'never' };

/** Its numbers continue those that an earlier run of the service gave to this rendition's segments. */
export interface SegmentStoreOptions extends FirstNumbers {
  /** How much of the stream a playlist offers, in seconds: 60 by default. It may change from one playlist to the next. */
  windowSeconds?: () => number;
  /** Where segments go that `memory` has no room for; without it they are dropped. */
  folder?: SegmentFolder | undefined;
  /** Unbounded by default. */
  memory?: MediaMemory | undefined;
  /** How many bytes of the live edge stay in memory, even if its time is longer. */
  maxEdgeBytes?: number;
  /** Called when the window becomes shorter than asked for. */
  onShortened?: (why: { diskFull: boolean }) => void;
}
