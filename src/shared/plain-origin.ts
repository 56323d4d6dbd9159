import { parseUrl } from './parse-url.ts';

/** In a host, `*`, `;` and `,` would have a meaning in a policy, and spaces and quotes can't be in an origin. */
const plainOrigin = /^https?:\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

/**
 * The origin of an HTTP or HTTPS URL that allows no other origin in a Content-Security-Policy (Content Security Policy Level 3,
 * `host-source`); undefined for any other URL. An IPv6 address may be returned, though it allows nothing there: viewers can use it.
 */
export function findPlainOrigin(url: string): string | undefined {
  const origin = parseUrl(url)?.origin;
  return origin !== undefined && plainOrigin.test(origin) ? origin : undefined;
}
