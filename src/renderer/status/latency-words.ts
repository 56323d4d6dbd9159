import type { LatencyView } from '../../shared/model/live.ts';

/** What latency is measured from, in a word or two and in a sentence. */
export interface LatencyWords {
  name: 'behind you' | 'behind your encoder' | 'behind live';
  sentence: string;
}

/**
 * What latency is measured from: you, if the capture is timed, or the encoder, whose own delay is unknown. Undefined if that isn't known
 * here: what another computer packages is dated as that one likes.
 */
export function describeLatency(latency: LatencyView | undefined): LatencyWords {
  if (latency === undefined) {
    return {
      name: 'behind live',
      sentence: 'Measured from the times in the playlist, which may be times of capture or of arrival.',
    };
  }
  return latency.fromCapture
    ? { name: 'behind you', sentence: 'Measured from capture: the stream carries the capture time.' }
    : {
        name: 'behind your encoder',
        sentence: "Measured from arrival here: this encoder doesn't send its capture time, so its own delay isn't included.",
      };
}
