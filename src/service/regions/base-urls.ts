import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { Settings } from '../../shared/model/settings.ts';

/** The address the service is bound to, with the actual ports. */
export interface BoundAddress {
  host: string;
  httpPort: number;
  rtmpPort: number;
}

/**
 * The base URLs of this computer's region: publish to `{ingest}/{streamKey}`, play `{playback}/{playbackId}/index.m3u8`.
 *
 * With a service domain they follow the interface (Live Streaming Service Interface, "URL shapes"). Without one they use the bound
 * address, or loopback if the service is bound to all addresses.
 */
export function formatBaseUrls(
  { regionCode, serviceDomain }: Pick<Settings, 'regionCode' | 'serviceDomain'>,
  address: BoundAddress,
): Required<IngestPair> {
  if (serviceDomain !== undefined) {
    const base = `https://${regionCode}-cdn.${serviceDomain}`;
    return { ingest: `rtmp://${regionCode}-rtmp.${serviceDomain}/live`, playback: `${base}/hls`, base };
  }
  const host = formatUrlHost(address.host);
  const base = `http://${host}:${address.httpPort}`;
  return { ingest: `rtmp://${host}:${address.rtmpPort}/live`, playback: `${base}/hls`, base };
}

/** The URL host for a bound address: loopback if bound to all addresses, IPv6 in brackets (RFC 3986 §3.2.2). */
export function formatUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Without `first`: the pairs of all regions, each with its `base`. With it: only the nearest pair, without `base`.
 *
 * An embedded service has one region, this computer's.
 */
export function listIngestPairs(urls: Required<IngestPair>, { first }: { first: boolean }): IngestPair[] {
  return [first ? { ingest: urls.ingest, playback: urls.playback } : urls];
}
