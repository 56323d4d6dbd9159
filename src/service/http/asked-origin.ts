import type { IncomingMessage } from 'node:http';

/**
 * A `Host` header (RFC 9110 §7.2) that is a name or an address and maybe a port, which can then stand in a URL of ours; undefined for
 * anything else.
 */
export function findAskedHost(header: string | undefined): string | undefined {
  return /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/.test(header ?? '') ? header : undefined;
}

/** Why the `Host` of a request is refused, in a sentence (RFC 9112 §3.2). Of two, a proxy in front may have followed the other one. */
export function findHostFault({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  // Node keeps only the first.
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count > 1) return 'The request has more than one Host header.';
  return count === 0 && httpVersion !== '1.0' ? 'The request has no Host header.' : undefined;
}

/** The origin that a request asked, with the scheme it came by; undefined if its `Host` doesn't tell. */
export function findAskedOrigin(request: { protocol: string; headers: { host?: string | undefined } }): URL | undefined {
  const host = findAskedHost(request.headers.host);
  return (host === undefined ? null : URL.parse(`${request.protocol}://${host}`)) ?? undefined;
}
