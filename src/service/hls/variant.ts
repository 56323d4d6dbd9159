import { ratesToRoundTo } from './common-rates.ts';
import { totalSeconds } from './count-newest.ts';
import { averageBandwidthBps, peakBandwidthBps } from './playlist/bandwidth.ts';
import type { Variant } from './playlist/multivariant-playlist.ts';
import type { SegmentStore } from './segment-store.ts';
import type { StoredSegment } from './stored-segment.ts';

/** A rendition's variant, measured over the segments its playlist has now; at least one must not be a gap. */
export function describeVariant(name: string, store: SegmentStore): Variant {
  const { targetDurationSeconds } = store;
  const segments = store.segments.filter(({ gap }) => !gap);
  const video = segments.findLast(({ init }) => init.tracks.video)?.init.tracks.video;
  const audio = segments.findLast(({ init }) => init.tracks.audio)?.init.tracks.audio;
  const fps = video && findHighestFps(segments);
  return {
    uri: `${name}/index.m3u8`,
    bandwidthBps: peakBandwidthBps(segments, targetDurationSeconds),
    averageBandwidthBps: averageBandwidthBps(segments),
    codecs: [video?.codec, audio?.codec].filter((codec) => codec !== undefined),
    ...(video && { resolution: { width: video.width, height: video.height } }),
    ...(video?.transfer !== undefined && { transfer: video.transfer }),
    ...(fps && { fps }),
  };
}

/** An average this close to a common rate is that rate: the nearest, if two are in reach. */
const rateTolerance = 0.004;

/** The same for the distances of single frames, which have jitter. */
const jitterTolerance = 0.05;

/**
 * The highest rate of the segments that have video, in frames per second (FRAME-RATE, rfc8216bis §4.4.6.2): the rate that their
 * encoder promises, or the measured rate if it is higher; a common rate if it differs from one only by rounding.
 */
function findHighestFps(segments: readonly StoredSegment[]): number {
  const withVideo = segments.filter(({ videoFrames }) => videoFrames > 0);
  const promised = Math.max(...withVideo.map(({ init }) => init.tracks.video?.fps ?? 0));
  const isPromised = withVideo.every(({ init }) => init.tracks.video?.fps !== undefined);
  const measured = measureFps(withVideo);
  return isPromised && measured <= promised * (1 + jitterTolerance) ? promised : Math.max(promised, measured);
}

function measureFps(segments: readonly StoredSegment[]): number {
  const frames = segments.reduce((sum, { videoFrames }) => sum + videoFrames, 0);
  const average = frames / totalSeconds(segments);
  const highest = Math.max(...segments.map(({ typicalFps }) => typicalFps));
  // A fixed rate shows better over all segments than over one.
  if (highest <= average * (1 + jitterTolerance)) return findCommonRate(average, rateTolerance);
  return findCommonRate(highest, jitterTolerance);
}

function findCommonRate(measured: number, tolerance: number): number {
  const nearest = [...ratesToRoundTo].sort((one, other) => Math.abs(one - measured) - Math.abs(other - measured))[0] as number;
  return Math.abs(measured / nearest - 1) < tolerance ? nearest : measured;
}
