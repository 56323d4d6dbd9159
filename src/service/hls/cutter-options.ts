import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { ProgramClock } from './program-clock.ts';
import type { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlan } from './segment-plan.ts';

/** The options that cutting segments needs for a source and for a rendition. */
export interface CutterOptions {
  bounds: PackagerBounds;
  /** The one that dates the segments of `maker`. */
  clock: ProgramClock;
  maker: SegmentMaker;
  sink: SegmentSink;
  onSegment: (segment: PackagedSegment) => void;
  plan: SegmentPlan;
}
