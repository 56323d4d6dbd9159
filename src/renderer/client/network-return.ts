import { isDesktopPage } from './is-desktop-page.ts';

/** The parts of a page's `window` that concern the network. */
export interface NetworkPage extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  navigator: { userAgent: string };
  location: { hostname: string };
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Calls `tell` when the browser notices that this computer's network is back, if the service runs on the same computer: on a phone, it
 * would be the phone's network. Returns the undo.
 */
export function onNetworkReturn(page: NetworkPage, tell: () => void): () => void {
  if (!isDesktopPage(page) && !loopbackNames.includes(page.location.hostname)) return () => {};
  page.addEventListener('online', tell);
  return () => page.removeEventListener('online', tell);
}
