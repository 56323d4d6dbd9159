import type { LatencyView } from '../../shared/model/live.ts';

/** What latency is measured from: you, if the capture is timed, else the encoder, whose own delay is unknown. */
export function nameLatency(latency: LatencyView | undefined): 'behind you' | 'behind your encoder' {
  return latency?.fromCapture === true ? 'behind you' : 'behind your encoder';
}
