import { secretKey } from '../../shared/page-session.ts';
import type { Connection } from './connection.ts';
import { isDesktopPage } from './is-desktop-page.ts';
import { openPortConnection } from './port-connection.ts';
import { openSocketConnection } from './socket-connection.ts';

/**
 * Connects this page to the service: over a WebSocket to its own origin in a browser, over the preload's port in the desktop
 * app.
 */
export function openConnection(page: Window): Connection {
  if (isDesktopPage(page)) return openPortConnection(page);
  const { protocol, host } = page.location;
  return openSocketConnection({
    url: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/contract`,
    findSecret: () => page.localStorage.getItem(secretKey) ?? '',
  });
}
