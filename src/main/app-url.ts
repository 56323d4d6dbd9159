/** The scheme of our own pages, inside the app only. */
export const appScheme = 'tallylight';

/** The origin of our own pages. */
export const appOrigin = `${appScheme}://app`;

/**
 * Scheme and authority of `url`, like `tallylight://app` or `https://example.com:8443`; undefined if it isn't a URL.
 *
 * `URL.origin` won't do: it is `null` for every scheme the URL standard doesn't name (URL Standard, "origin").
 */
export function findOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
