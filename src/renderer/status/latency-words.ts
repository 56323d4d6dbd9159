import type { LatencyView } from '../../shared/model/live.ts';

/** The starting point of the latency, in a word or two and in a sentence. */
export interface LatencyWords {
  name: 'behind you' | 'behind your encoder' | 'behind live';
  sentence: string;
}

/**
 * The starting point of the latency: you, if the capture is timed, or the encoder, whose own delay is unknown. Without `latency` it isn't
 * known here: another computer dates its playlist by its own rules.
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
