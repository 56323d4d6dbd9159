import type { RenditionView } from '../../shared/model/live.ts';
import { totalSeconds } from '../hls/count-newest.ts';
import type { SegmentStore } from '../hls/segment-store.ts';

/** Segments that are measured over: recent enough to be now, enough to be steady. */
const recentSegments = 5;

/**
 * What a rendition's newest segments measure; nothing while it has none. The bitrate is the picture's, as a profile asks for it.
 *
 * Bitrate and frame rate are by the wall clock: segments count media time, of which a source with a `pace` below 1 has less.
 */
export function measureRendition(
  store: SegmentStore,
  pace = 1,
): Pick<RenditionView, 'bitrateBps' | 'fps' | 'width' | 'height' | 'keyframeIntervalSeconds' | 'segmentSeconds'> {
  const segments = store.segments.filter(({ gap }) => gap !== true).slice(-recentSegments);
  const last = segments.at(-1);
  if (last === undefined) return {};
  const seconds = totalSeconds(segments);
  const videoBytes = segments.reduce((sum, segment) => sum + segment.videoBytes, 0);
  const frames = segments.reduce((sum, { videoFrames }) => sum + videoFrames, 0);
  // Every keyframe begins a part.
  const keyframes = segments.reduce((sum, { parts }) => sum + parts.filter(({ independent }) => independent).length, 0);
  const { video } = last.init.tracks;
  return {
    bitrateBps: ((videoBytes * 8) / seconds) * pace,
    fps: (frames / seconds) * pace,
    ...(video && { width: video.width, height: video.height }),
    ...(video && keyframes > 0 && { keyframeIntervalSeconds: seconds / keyframes }),
    segmentSeconds: last.durationSeconds,
  };
}
