/** The scheme our own pages are served under, inside the app only. */
export const appScheme = 'tallylight';

/** The origin of our own pages. */
export const appOrigin = `${appScheme}://app`;

/**
 * Scheme and authority of `url`, like `tallylight://app` or `https://example.com:8443`; undefined when it is no URL.
 *
 * `URL.origin` will not do: it is `null` for every scheme that the URL standard does not name (URL Standard, "origin").
 */
export function findOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
