import type { RenditionView } from '../../shared/model/live.ts';
import { totalSeconds } from '../hls/count-newest.ts';
import type { SegmentStore } from '../hls/segment-store.ts';
import type { StoredSegment } from '../hls/stored-segment.ts';

/** How many segments to measure: few enough to be current, enough to be steady. */
const recentSegments = 5;

/**
 * The measurements of a rendition's newest segments; none before its first. The bitrate is the video's, as in a profile.
 *
 * Bitrate and frame rate are per second of wall clock: a source with a `pace` below 1 has less media time than that, one above 1 more.
 */
export function measureRendition(
  store: SegmentStore,
  pace: number,
): Pick<RenditionView, 'bitrateBps' | 'fps' | 'width' | 'height' | 'keyframeIntervalSeconds' | 'segmentSeconds'> {
  const segments = findNewest(store.segments);
  const last = segments.at(-1);
  if (last === undefined) return {};
  const seconds = totalSeconds(segments);
  const videoBytes = segments.reduce((sum, segment) => sum + segment.videoBytes, 0);
  const frames = segments.reduce((sum, { videoFrames }) => sum + videoFrames, 0);
  // Every keyframe begins a part.
  const keyframes = segments.reduce((sum, { independentParts }) => sum + independentParts.length, 0);
  const { video } = last.init.tracks;
  return {
    bitrateBps: ((videoBytes * 8) / seconds) * pace,
    fps: (frames / seconds) * pace,
    ...(video && { width: video.width, height: video.height }),
    ...(video && keyframes > 0 && { keyframeIntervalSeconds: seconds / keyframes }),
    segmentSeconds: last.durationSeconds,
  };
}

/** The newest segments that are not gaps, oldest first. Searched from the end: the window may be hours long. */
function findNewest(all: readonly StoredSegment[]): StoredSegment[] {
  const found: StoredSegment[] = [];
  for (let index = all.length - 1; index >= 0 && found.length < recentSegments; index -= 1) {
    const segment = all[index];
    if (segment && segment.gap !== true) found.unshift(segment);
  }
  return found;
}
