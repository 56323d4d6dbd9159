import { parseUrl } from './parse-url.ts';

/** Whether a URL leads only to the computer that requests it (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export function isLoopbackUrl(url: string): boolean {
  // A full name may end in a dot.
  const hostname = parseUrl(url)?.hostname.replace(/\.$/, '');
  if (hostname === undefined) return false;
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  );
}
