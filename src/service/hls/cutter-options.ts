import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlan } from './segment-plan.ts';

/** What segments are cut with, of a source and of a rendition. */
export interface CutterOptions {
  bounds: PackagerBounds;
  maker: SegmentMaker;
  sink: SegmentSink;
  onSegment: (segment: PackagedSegment) => void;
  plan: SegmentPlan;
}
