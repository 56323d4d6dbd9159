import { averageBandwidthBps, peakBandwidthBps } from './playlist/bandwidth.ts';
import type { Variant } from './playlist/multivariant-playlist.ts';
import type { SegmentStore } from './segment-store.ts';
import type { StoredSegment } from './stored-segment.ts';

/** What a rendition is, measured over the segments its playlist has now; there must be one that is no gap. */
export function describeVariant(name: string, store: SegmentStore): Variant {
  const { targetDurationSeconds } = store;
  const segments = store.segments.filter(({ gap }) => !gap);
  const video = segments.findLast(({ init }) => init.tracks.video)?.init.tracks.video;
  const audio = segments.findLast(({ init }) => init.tracks.audio)?.init.tracks.audio;
  const fps = video && (video.fps ?? measureFps(segments));
  return {
    uri: `${name}/index.m3u8`,
    bandwidthBps: peakBandwidthBps(segments, targetDurationSeconds),
    averageBandwidthBps: averageBandwidthBps(segments),
    codecs: [video?.codec, audio?.codec].filter((codec) => codec !== undefined),
    ...(video && { resolution: { width: video.width, height: video.height } }),
    ...(fps && { fps }),
  };
}

const commonRates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 120_000 / 1001, 120];
/** Half of what is between 23.976 and 24: milliseconds over a segment are finer. */
const rateTolerance = 0.0005;

/** Video frames per second, over the segments that have video: a common rate where the measured one is that but for rounding. */
function measureFps(segments: readonly StoredSegment[]): number {
  const withVideo = segments.filter(({ videoFrames }) => videoFrames > 0);
  const frames = withVideo.reduce((sum, { videoFrames }) => sum + videoFrames, 0);
  const measured = frames / withVideo.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return commonRates.find((rate) => Math.abs(measured / rate - 1) < rateTolerance) ?? measured;
}
