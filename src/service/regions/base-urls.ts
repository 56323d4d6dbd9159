import { isIP } from 'node:net';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { isLoopback } from '../lib/address-group.ts';
import { bracketHost, unbracketHost } from '../lib/host-address.ts';

/** The address the service is bound to, with the actual ports. */
export interface BoundAddress {
  host: string;
  httpPort: number;
  rtmpPort: number;
  /** Whether both ports take TLS. */
  hasTls?: boolean;
  /** The origin by which a caller elsewhere reaches the HTTP port; the bound address doesn't tell it. */
  seenAs?: URL | undefined;
}

/**
 * The base URLs of this computer's region: publish to `{ingest}/{streamKey}`, play `{playback}/{playbackId}/index.m3u8`.
 *
 * With a service domain they follow the interface (Live Streaming Service Interface, "URL shapes"). With TLS of our own they also
 * have the ports, unless those are the default ones, and `rtmps:`. Without a domain they use `seenAs`; without that, the bound address,
 * or loopback, which needs no TLS, if the service is bound to all addresses.
 */
export function formatBaseUrls(
  { regionCode, serviceDomain }: Pick<Settings, 'regionCode' | 'serviceDomain'>,
  { host, httpPort, rtmpPort, hasTls = false, seenAs }: BoundAddress,
): Required<IngestPair> {
  if (serviceDomain !== undefined) {
    const base = `https://${regionCode}-cdn.${serviceDomain}${hasTls ? formatTlsPort(httpPort) : ''}`;
    const ingestHost = `${regionCode}-rtmp.${serviceDomain}`;
    const ingest = hasTls ? `rtmps://${ingestHost}${formatTlsPort(rtmpPort)}/live` : `rtmp://${ingestHost}/live`;
    return { ingest, playback: `${base}/hls`, base };
  }
  if (seenAs !== undefined) {
    const ingest = `rtmp${hasTls ? 's' : ''}://${seenAs.hostname}:${rtmpPort}/live`;
    return { ingest, playback: `${seenAs.origin}/hls`, base: seenAs.origin };
  }
  const urlHost = formatUrlHost(host);
  const s = hasTls && !isLoopbackHost(host) ? 's' : '';
  const base = `http${s}://${urlHost}:${httpPort}`;
  return { ingest: `rtmp${s}://${urlHost}:${rtmpPort}/live`, playback: `${base}/hls`, base };
}

/** 443 is the default of `https:` and, in encoders, of `rtmps:`. */
function formatTlsPort(port: number): string {
  return port === 443 ? '' : `:${port}`;
}

/** Whether a service that is bound to `host` is shown with a loopback address. */
export function isLoopbackHost(host: string): boolean {
  const shown = unbracketHost(formatUrlHost(host));
  return shown === 'localhost' || (isIP(shown) !== 0 && isLoopback(shown));
}

/** The URL host for a bound address: loopback if bound to all addresses, IPv6 in brackets (RFC 3986 §3.2.2). */
export function formatUrlHost(host: string): string {
  if (isEveryAddress(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return bracketHost(host);
}

/** Whether `host` means all addresses of the computer (RFC 4291 §2.5.2 for IPv6). */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
