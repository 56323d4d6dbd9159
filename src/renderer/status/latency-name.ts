import type { LatencyView } from '../../shared/model/live.ts';

/** From where to where a latency is counted. */
export function nameLatency(latency: LatencyView | undefined): 'glass to glass' | 'ingest to screen' {
  return latency?.fromCapture === true ? 'glass to glass' : 'ingest to screen';
}
