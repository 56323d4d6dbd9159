import type { LatencyView } from '../../../shared/model/live.ts';
import type { MeasuredLatency } from './latency-window.ts';

/** One part of the time from capture to screen. */
interface LatencyPart {
  name: string;
  /** Milliseconds; undefined if not measured. */
  ms: number | undefined;
  /** Whether it comes before the total's clock starts: known, but not included. */
  isBefore: boolean;
}

/**
 * Splits a latency of `totalMs` milliseconds into parts; `bufferMs` is what the player holds ahead of the picture.
 *
 * The last row is the unaccounted rest: it includes a rendition's transcoding and any part not measured. Without capture times
 * the total starts at ingest, after encode and upload; where it starts is unknown while nothing is measured here.
 */
export function breakDownLatency(
  { totalMs, bufferMs }: MeasuredLatency,
  latency: LatencyView | undefined,
  isRendition: boolean,
): readonly LatencyPart[] {
  const isBefore = latency?.fromCapture === false;
  const parts: LatencyPart[] = [
    { name: 'Encode', ms: latency?.encodeMs, isBefore },
    { name: 'Upload', ms: latency?.uploadMs, isBefore },
    { name: 'Packaging', ms: latency?.packagingMs, isBefore: false },
    { name: 'Player buffer', ms: bufferMs, isBefore: false },
  ];
  const counted = parts.filter((part) => !part.isBefore);
  const restMs = totalMs - counted.reduce((sum, { ms = 0 }) => sum + ms, 0);
  const isWhole = counted.every(({ ms }) => ms !== undefined);
  const delivery = isRendition ? 'Transcoding and delivery' : 'Delivery to the player';
  return [...parts, { name: isWhole ? delivery : 'Everything else', ms: Math.max(0, restMs), isBefore: false }];
}
