import { isIP } from 'node:net';
import { isLoopbackUrl } from '../../shared/loopback-url.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { PairFault } from '../../shared/model/remote-failure.ts';
import { findPlainOrigin } from '../../shared/plain-origin.ts';
import { isLoopback, isUnspecified } from '../lib/address-group.ts';
import { unbracketHost } from '../lib/host-address.ts';
import { parseIngestUrl } from '../publishing/ingest-url.ts';

/** As many pairs as our own list of regions may have: each is measured and kept. */
const maxPairs = 64;

/** The origin that pages may play from, of a playback base URL; undefined unless it is HTTPS or this computer's. */
export function findMediaOrigin(playback: string): string | undefined {
  const url = findPlainUrl(playback);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(url.href));
  return isSafe ? url?.origin : undefined;
}

/** The host of an ingest that takes media unencrypted; undefined if it is RTMPS, or on this computer. */
export function findPlainIngest(ingest: string): string | undefined {
  const parsed = parseIngestUrl(ingest);
  return parsed === undefined || parsed.isSecure || leadsHere(parsed.host) ? undefined : parsed.host;
}

/**
 * The pairs of a service that this computer can send to and play from, 64 at most, and the fault of the first unusable one. A pair with
 * loopback addresses would lead to this computer instead of the service, unless the service runs here, too.
 */
export function pickUsable(
  pairs: readonly IngestPair[],
  { baseUrl }: { baseUrl: string },
): { usable: IngestPair[]; fault: PairFault | undefined } {
  const isHere = isLoopbackUrl(baseUrl);
  const judged = pairs.map((pair) => ({ pair, fault: findFault(pair, isHere) }));
  const usable = judged.filter(({ fault }) => fault === undefined).map(({ pair }) => pair);
  return { usable: usable.slice(0, maxPairs), fault: judged.find(({ fault }) => fault !== undefined)?.fault };
}

function findFault({ ingest, playback }: IngestPair, isHere: boolean): PairFault | undefined {
  const sentTo = parseIngestUrl(ingest);
  const playedFrom = findPlainUrl(playback);
  if (sentTo === undefined || playedFrom === undefined) return 'address';
  if (!isHere && (leadsHere(sentTo.host) || leadsHere(playedFrom.hostname))) return 'loopback';
  return findMediaOrigin(playback) === undefined ? 'unencrypted' : undefined;
}

function findPlainUrl(playback: string): URL | undefined {
  const url = URL.parse(playback);
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return findPlainOrigin(playback) === undefined ? undefined : url;
}

/** Whether connections to this host stay on this computer: on most systems, connections to the unspecified address do, too. */
function leadsHere(host: string): boolean {
  const plain = unbracketHost(host);
  if (isIP(plain) === 0) return isLoopbackUrl(`http://${plain}`);
  return isLoopback(plain) || isUnspecified(plain);
}
