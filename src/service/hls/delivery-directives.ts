import { ServiceError } from '../../shared/errors.ts';
import type { SegmentStore } from './segment-store.ts';

/** The delivery directives of a player's playlist request (rfc8216bis §6.2.5). */
export interface DeliveryDirectives {
  /** The playlist must have this segment, or this part of it. */
  until: { msn: number; partIndex: number | undefined } | undefined;
  /** A delta update is enough. */
  delta: boolean;
}

/** A player may be this many segments ahead of the playlist (§6.2.5.2). */
const maxSegmentsAhead = 2;
/** The advance part limit: this much in parts, and at least three parts (§6.2.5.2). */
const maxSecondsAhead = 3;

/**
 * Parses the delivery directives of a request's query. For a playlist that has ended all are ignored, even wrong ones (§6.2.5.1,
 * §6.2.5.2): so a player learns of the end even if its request was too early for it.
 *
 * @throws {ServiceError} MALFORMED_REQUEST if they are not numbers, or too far ahead of the store.
 */
export function parseDeliveryDirectives(query: Readonly<Record<string, unknown>>, store: SegmentStore): DeliveryDirectives {
  if (store.ended) return { until: undefined, delta: false };
  const msn = parseNumber(query, '_HLS_msn');
  const partIndex = parseNumber(query, '_HLS_part');
  const skip = query._HLS_skip;
  const delta = skip === 'YES' || skip === 'v2';
  if (msn === undefined) {
    if (partIndex !== undefined) throw new ServiceError('MALFORMED_REQUEST', '_HLS_part needs _HLS_msn.');
    return { until: undefined, delta };
  }
  const lastMsn = store.segments.at(-1)?.msn ?? store.nextMediaSequence - 1;
  if (msn > lastMsn + maxSegmentsAhead) {
    throw new ServiceError('MALFORMED_REQUEST', `Segment ${msn} is too far ahead: the newest is ${lastMsn}.`);
  }
  const lastIndex = store.open?.msn === msn ? store.open.parts.length - 1 : -1;
  const maxPartsAhead = Math.ceil(maxSecondsAhead / Math.min(store.partTargetSeconds ?? 1, 1));
  if (partIndex !== undefined && msn > lastMsn && partIndex > lastIndex + maxPartsAhead) {
    throw new ServiceError('MALFORMED_REQUEST', `Part ${partIndex} of segment ${msn} is too far ahead.`);
  }
  return { until: { msn, partIndex }, delta };
}

function parseNumber(query: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) {
    throw new ServiceError('MALFORMED_REQUEST', `${name} must be given once, as a number.`);
  }
  return Number(value);
}
