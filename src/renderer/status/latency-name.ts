import type { LatencyView } from '../../shared/model/live.ts';

/** What a latency is counted from: you, where the capture is timed; else the encoder, whose own delay is not known. */
export function nameLatency(latency: LatencyView | undefined): 'behind you' | 'behind your encoder' {
  return latency?.fromCapture === true ? 'behind you' : 'behind your encoder';
}
