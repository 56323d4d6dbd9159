/**
 * The base URL from which this page's monitor plays.
 *
 * A page in a browser may ask only its own origin, which serves playback too; the desktop app's page has none, and asks this
 * computer.
 */
export function monitorPlaybackBase(page: { protocol: string; origin: string }, localPlaybackBaseUrl: string): string {
  const isBrowser = page.protocol === 'http:' || page.protocol === 'https:';
  return isBrowser ? `${page.origin}${new URL(localPlaybackBaseUrl).pathname}` : localPlaybackBaseUrl;
}
