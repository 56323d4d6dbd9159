import { isDesktopPage, type PagePlace } from './is-desktop-page.ts';

/**
 * The base URL from which this page's monitor plays.
 *
 * A page in a browser may only use its own origin, which serves playback too. The desktop app's page has no such origin and
 * uses this computer's.
 */
export function monitorPlaybackBase(page: PagePlace, localPlaybackBaseUrl: string): string {
  if (isDesktopPage(page)) return localPlaybackBaseUrl;
  return `${page.location.origin}${new URL(localPlaybackBaseUrl).pathname}`;
}
