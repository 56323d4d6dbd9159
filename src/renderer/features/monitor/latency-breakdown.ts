import type { LatencyView } from '../../../shared/model/live.ts';
import type { MeasuredLatency } from './latency-window.ts';

/** One part of the way from capture to screen. */
interface LatencyPart {
  name: string;
  /** Milliseconds; undefined is not measured. */
  ms: number | undefined;
  /** Before the clock of the total starts: known, and not in it. */
  isBefore: boolean;
}

/**
 * The parts of a latency of `totalMs` milliseconds; `bufferMs` is what the player holds ahead of the picture.
 *
 * What no part accounts for is the last row: of a rendition that is its transcoding too, and while a part is not measured, that
 * part. Without capture times the total starts at ingest, after encode and upload.
 */
export function breakDownLatency(
  { totalMs, bufferMs }: MeasuredLatency,
  latency: LatencyView | undefined,
  isRendition: boolean,
): readonly LatencyPart[] {
  const isBefore = latency?.fromCapture !== true;
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
