import type { AacConfig } from '../media/aac.ts';
import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlan } from './segment-plan.ts';
import type { VideoInput } from './video-track.ts';

/** Decides where segments begin and end. */
export interface MediaCutter {
  /** There will be video: sound that comes first waits for it longer. */
  expectVideo(): void;
  setAudioConfig(config: AacConfig): void;
  pushVideo(frame: VideoInput): void;
  pushAudio(timeMs: number, data: Buffer): void;
  /** What comes next is of another time line, with this number; `pausedMs` is how much longer the wall clock ran. */
  startTimeline(timeline: number, pausedMs: number): void;
  /** Makes a segment of what is there. */
  finish(): void;
}

/** What a cutter makes segments with. */
export interface CutterOptions {
  /** How long segments are to be at least, and parts about. */
  targetMs: number;
  partMs: number;
  bounds: PackagerBounds;
  maker: SegmentMaker;
  sink: SegmentSink;
  onSegment: (segment: PackagedSegment) => void;
  plan: SegmentPlan;
}
