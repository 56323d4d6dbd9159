import type { SegmentSink } from '../../src/service/hls/packaged-segment.ts';
import type { RenditionPackagerOptions } from '../../src/service/hls/rendition-packager.ts';
import { SegmentPlaces } from '../../src/service/hls/segment-places.ts';
import { SegmentPlan } from '../../src/service/hls/segment-plan.ts';
import type { SourcePackagerOptions } from '../../src/service/hls/source-packager.ts';

/** Options of a source's packager that a test changes. */
export type PackagerChanges = Pick<SourcePackagerOptions, 'startedAtMs'> & Partial<SourcePackagerOptions>;

/** Complete options of a source's packager: segments of 2 s that are only reported, the first after a segment of an earlier broadcast. */
export function packagerOptions({
  startedAtMs,
  sink = new ForgetfulSink(),
  places = new SegmentPlaces({ firstMediaSequence: 1 }),
  promised,
  onSegment = () => {},
  onTracks = () => {},
  targetSegmentSeconds = 2,
  partMs = 200,
  plan = new SegmentPlan(),
  onPlaced = () => {},
  tracks = {},
  onCaptureStamp = () => {},
  bounds,
}: PackagerChanges): SourcePackagerOptions {
  return {
    startedAtMs,
    sink,
    places,
    promised,
    onSegment,
    onTracks,
    targetSegmentSeconds,
    partMs,
    plan,
    onPlaced,
    tracks,
    onCaptureStamp,
    bounds,
  };
}

/** Complete options of a rendition's packager. */
export function renditionOptions({
  plan,
  sink = new ForgetfulSink(),
  onSegment = () => {},
  bounds,
}: Pick<RenditionPackagerOptions, 'plan'> & Partial<RenditionPackagerOptions>): RenditionPackagerOptions {
  return { plan, sink, onSegment, bounds };
}

/** Keeps nothing. */
class ForgetfulSink implements SegmentSink {
  begin(): void {}
  addPart(): void {}
  breakOff(): void {}
  complete(): void {}
  beginGap(): void {}
  appendGap(): void {}
}
