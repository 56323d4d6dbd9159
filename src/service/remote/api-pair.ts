import type { IngestPair } from '../../shared/model/ingest-pair.ts';

/**
 * The pair of the region whose interface has this base URL: the only pair, or else the one with the same host and port, or with the same
 * host. Undefined if none matches, or several do.
 */
export function findApiPair(pairs: readonly IngestPair[], baseUrl: string): IngestPair | undefined {
  if (pairs.length === 1) return pairs[0];
  const api = new URL(baseUrl);
  const hasSame = (part: 'host' | 'hostname') =>
    pairs.filter(({ ingest, playback, base = playback }) =>
      [ingest, playback, base].some((url) => URL.parse(url)?.[part] === api[part]),
    );
  const [same, ...others] = hasSame('host');
  if (same !== undefined) return others.length === 0 ? same : undefined;
  const [near, ...more] = hasSame('hostname');
  return more.length === 0 ? near : undefined;
}
