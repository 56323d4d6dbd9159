import { totalSeconds } from './count-newest.ts';
import { holdBackTargetDurations } from './playlist/server-control.ts';
import type { SegmentStore } from './segment-store.ts';
import type { StoredSegment } from './stored-segment.ts';

/** Nobody wants to begin further back than this, even without a keyframe nearer. */
const longestSeconds = 30;
/** Players reload the playlist a little later: counted from its new end, the offset must still fall into the chosen segment. */
const leewaySeconds = 1;

/**
 * The offset at which players are to begin, in seconds from the end of the playlist, negative (EXT-X-START, rfc8216bis §4.4.2.2):
 * in the newest segment beyond the hold-back that begins with an independent frame. Undefined if each segment within the
 * hold-back does: then players may begin anywhere.
 *
 * hls.js with low latency begins at the live edge. Inside a divided GOP there may be no keyframe, and hls.js would show nothing,
 * for good.
 */
export function findStartOffset({
  open,
  segments,
  targetDurationSeconds,
}: Pick<SegmentStore, 'open' | 'segments' | 'targetDurationSeconds'>): number | undefined {
  const holdBackSeconds = holdBackTargetDurations * targetDurationSeconds;
  let isDivided = open?.parts[0]?.independent === false;
  let behindSeconds = totalSeconds(open?.parts ?? []);
  // Walk back from the end, without a copy: a window of hours is long.
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    const { independentParts, durationSeconds, gap } = segments[index] as StoredSegment;
    const isReached = behindSeconds >= holdBackSeconds;
    if (behindSeconds > longestSeconds || (isReached && !isDivided)) return undefined;
    behindSeconds += durationSeconds;
    const begins = independentParts[0] === 0 && !gap;
    if (begins && isDivided && behindSeconds >= holdBackSeconds) {
      // The offset should not be within three target durations of the end.
      return -Math.max(holdBackSeconds, behindSeconds - Math.min(durationSeconds / 2, leewaySeconds));
    }
    isDivided ||= !gap && !begins;
  }
  return undefined;
}
