import { averageBandwidthBps, peakBandwidthBps } from './playlist/bandwidth.ts';
import type { Variant } from './playlist/multivariant-playlist.ts';
import type { SegmentStore, StoredSegment } from './segment-store.ts';

/** What a rendition is, measured over the segments its playlist has now; there must be one. */
export function describeVariant(name: string, store: SegmentStore): Variant {
  const { segments, targetDurationSeconds } = store;
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

/** Video frames per second, over the segments that have video. */
function measureFps(segments: readonly StoredSegment[]): number {
  const withVideo = segments.filter(({ videoFrames }) => videoFrames > 0);
  const frames = withVideo.reduce((sum, { videoFrames }) => sum + videoFrames, 0);
  return frames / withVideo.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}
