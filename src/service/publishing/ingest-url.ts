import { withoutEndSlashes } from '../../shared/without-end-slashes.ts';
import { formatAddress, unbracketHost } from '../lib/host-address.ts';

/** The address in an ingest URL. */
export interface IngestAddress {
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
  /** Whether to use TLS, as `rtmps:` asks for. */
  isSecure: boolean;
  /** The application: the path without its first slash, and the query. */
  app: string;
  /** The `tcUrl` for `connect` (RTMP 1.0 §7.2.1.1): the URL, always with its port. */
  tcUrl: string;
}

const defaultPorts: Readonly<Record<string, number>> = { 'rtmp:': 1935, 'rtmps:': 443 };

/**
 * Parses an ingest URL like `rtmps://live.example.com/app`, without the stream key; undefined if it isn't one. The port is 1935 by
 * default, for RTMPS 443, as all services have it. Names in other scripts become ASCII. A user name isn't accepted: there is no common
 * way to send one.
 */
export function parseIngestUrl(text: string): IngestAddress | undefined {
  const url = URL.parse(text.trim());
  const defaultPort = url === null ? undefined : defaultPorts[url.protocol];
  if (url === null || defaultPort === undefined || url.username !== '' || url.password !== '' || url.hash !== '')
    return undefined;
  // Only URLs of the web have their names converted and checked.
  const web = URL.parse(`https://${url.hostname}`);
  const host = web === null ? undefined : unbracketHost(web.hostname);
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (host === undefined || port === 0) return undefined;
  const app = `${withoutEndSlashes(url.pathname.replace(/^\/+/, ''))}${url.search}`;
  return {
    host,
    port,
    isSecure: url.protocol === 'rtmps:',
    app,
    tcUrl: `${url.protocol}//${formatAddress(host, port)}/${app}`,
  };
}

/** The host and port of an ingest URL, for people and logs; undefined if it isn't one. */
export function formatIngestAddress(text: string): string | undefined {
  const ingest = parseIngestUrl(text);
  return ingest && formatAddress(ingest.host, ingest.port);
}
