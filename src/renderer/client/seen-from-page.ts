import { isLoopbackUrl } from '../../shared/loopback-url.ts';
import type { ServiceInfo } from '../../shared/model/views.ts';
import { isDesktopPage, type PagePlace } from './is-desktop-page.ts';

type BaseUrls = Pick<
  ServiceInfo,
  'apiBaseUrl' | 'ingestBaseUrl' | 'playbackBaseUrl' | 'localApiBaseUrl' | 'localIngestBaseUrl' | 'localPlaybackBaseUrl'
>;

/** Whether a page is on the service's own computer. */
export function isBesideService(page: PagePlace): boolean {
  return isDesktopPage(page) || isLoopbackUrl(page.location.origin);
}

/**
 * The service with base URLs that lead to it from this page. Without a service domain the service knows only its loopback address, but a
 * page on another computer has reached it at another address.
 */
export function seenFromPage<Info extends BaseUrls>(page: PagePlace, service: Info): Info {
  const { apiBaseUrl, ingestBaseUrl, playbackBaseUrl } = service;
  if (isBesideService(page) || !isLoopbackUrl(playbackBaseUrl)) return service;
  const { origin, protocol, hostname } = new URL(page.location.origin);
  const { port, pathname } = new URL(ingestBaseUrl);
  const ingest = `rtmp${protocol === 'https:' ? 's' : ''}://${hostname}:${port}${pathname}`;
  const playback = `${origin}${new URL(playbackBaseUrl).pathname}`;
  const api = `${origin}${new URL(apiBaseUrl).pathname}`;
  return {
    ...service,
    apiBaseUrl: api,
    ingestBaseUrl: ingest,
    playbackBaseUrl: playback,
    localApiBaseUrl: api,
    localIngestBaseUrl: ingest,
    localPlaybackBaseUrl: playback,
  };
}
