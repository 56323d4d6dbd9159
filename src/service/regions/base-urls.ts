import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { Settings } from '../../shared/model/settings.ts';

/** The address the service is bound to, with the ports it really has. */
export interface BoundAddress {
  host: string;
  httpPort: number;
  rtmpPort: number;
}

/**
 * The base URLs of this computer's region: `{ingest}/{streamKey}` is published to, `{playback}/{playbackId}/index.m3u8` played.
 *
 * With a service domain they have the interface's shapes (Live Streaming Service Interface, "URL shapes"); without one
 * they lead to the address the service is bound to, on loopback when that is every address.
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

/** The host of URLs that lead to what is bound to this address: loopback for every address, IPv6 in brackets (RFC 3986 §3.2.2). */
export function formatUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The pairs of all regions, each with its `base`, when `first` is false; else the nearest one alone, without.
 *
 * This computer is the one region of an embedded service.
 */
export function listIngestPairs(urls: Required<IngestPair>, { first }: { first: boolean }): IngestPair[] {
  return [first ? { ingest: urls.ingest, playback: urls.playback } : urls];
}
