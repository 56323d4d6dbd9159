/** A host as in a URL: an IPv6 address is in brackets (RFC 3986 §3.2.2). */
export function bracketHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The host of a URL without the brackets of an IPv6 address. */
export function unbracketHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** A host and its port as in a URL. */
export function formatAddress(host: string, port: number): string {
  return `${bracketHost(host)}:${port}`;
}
