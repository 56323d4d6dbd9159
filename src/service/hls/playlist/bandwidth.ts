/** The length and size of a segment. */
export interface MeasuredSegment {
  durationSeconds: number;
  sizeBytes: number;
}

/**
 * The average bit rate of these segments, in bits per second: `AVERAGE-BANDWIDTH` (rfc8216bis §4.4.6.2).
 */
export function averageBandwidthBps(segments: readonly MeasuredSegment[]): number {
  const bits = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes * 8, 0);
  return bits / segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}

/**
 * The peak segment bit rate, in bits per second: `BANDWIDTH`.
 *
 * It is the largest bit rate of any contiguous segments whose total duration is between 0.5 and 1.5 times the target duration
 * (rfc8216bis §4.1), or the average if there is no such run yet.
 */
export function peakBandwidthBps(segments: readonly MeasuredSegment[], targetDurationSeconds: number): number {
  let peak = 0;
  for (let start = 0; start < segments.length; start += 1) {
    let bits = 0;
    let seconds = 0;
    for (let end = start; end < segments.length; end += 1) {
      const { sizeBytes, durationSeconds } = segments[end] as MeasuredSegment;
      bits += sizeBytes * 8;
      seconds += durationSeconds;
      if (seconds > targetDurationSeconds * 1.5) break;
      if (seconds >= targetDurationSeconds * 0.5) peak = Math.max(peak, bits / seconds);
    }
  }
  return Math.max(peak, averageBandwidthBps(segments));
}
