/**
 * A `Host` header (RFC 9110 §7.2) that is a name or an address and maybe a port, which can then stand in a URL of ours; undefined for
 * anything else.
 */
export function findAskedHost(header: string | undefined): string | undefined {
  return /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/.test(header ?? '') ? header : undefined;
}

/** The origin that a request asked, with the scheme it came by; undefined if its `Host` doesn't tell. */
export function findAskedOrigin(request: { protocol: string; headers: { host?: string | undefined } }): URL | undefined {
  const host = findAskedHost(request.headers.host);
  return (host === undefined ? null : URL.parse(`${request.protocol}://${host}`)) ?? undefined;
}
