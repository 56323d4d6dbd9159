import { isDesktopPage, type PagePlace } from './is-desktop-page.ts';

/**
 * The base URL from which this page's monitor plays.
 *
 * A page in a browser may ask only its own origin, which serves playback too; the desktop app's page has none, and asks this
 * computer.
 */
export function monitorPlaybackBase(page: PagePlace, localPlaybackBaseUrl: string): string {
  if (isDesktopPage(page)) return localPlaybackBaseUrl;
  return `${page.location.origin}${new URL(localPlaybackBaseUrl).pathname}`;
}
