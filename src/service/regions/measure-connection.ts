import type { LookupFunction } from 'node:net';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import { median } from '../lib/median.ts';
import { explainConnectError } from '../publishing/connect-failure.ts';
import { connectFirst } from '../publishing/connect-first.ts';
import { parseIngestUrl } from '../publishing/ingest-url.ts';

/** How many connections are timed: a single one may have been unlucky. */
const timedConnections = 5;

/** The time of a TCP connection in milliseconds, or why there is none. */
export type ConnectionResult = { ms: number } | { failure: IngestFailure };

export interface MeasureOptions {
  /** How long a connection may take. */
  limitMs: number;
  /** Resolves names; by default the system does. */
  lookup?: LookupFunction | undefined;
  /** Aborting ends every connection, and makes the result meaningless. */
  signal: AbortSignal;
}

/**
 * The median time of five TCP connections to an ingest, opened side by side and closed at once. Looking up names doesn't count.
 * Fails if most connections fail. Never rejects.
 */
export async function measureConnection(ingest: string, options: MeasureOptions): Promise<ConnectionResult> {
  const address = parseIngestUrl(ingest);
  if (address === undefined) return { failure: { code: 'wrong-address' } };
  const results = await Promise.all(Array.from({ length: timedConnections }, () => timeConnection(address, options)));
  return pickMedian(results);
}

/** The result in the middle; a failure counts as longer than any time, and the first one is the reason. */
export function pickMedian(results: readonly ConnectionResult[]): ConnectionResult {
  const ms = median(results.map((result) => ('ms' in result ? result.ms : Number.POSITIVE_INFINITY)));
  if (ms !== undefined && Number.isFinite(ms)) return { ms };
  return results.find((result) => 'failure' in result) ?? { failure: { code: 'internal' } };
}

async function timeConnection(
  { host, port }: { host: string; port: number },
  { limitMs, lookup, signal }: MeasureOptions,
): Promise<ConnectionResult> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const { socket, ms } = await connectFirst(host, port, { lookup, signal: limited });
    socket.destroy();
    return { ms: Math.round(ms * 10) / 10 };
  } catch (error) {
    if (limited.aborted) return { failure: { code: 'timed-out', during: 'connect', afterMs: limitMs } };
    return { failure: explainConnectError(error, { host, port }) };
  }
}
