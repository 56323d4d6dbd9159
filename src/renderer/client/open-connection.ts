import { secretKey } from '../../shared/page-session.ts';
import type { Connection } from './connection.ts';
import { isDesktopPage } from './is-desktop-page.ts';
import { reloadIfOutdated } from './outdated-page.ts';
import { openPortConnection } from './port-connection.ts';
import { openSocketConnection } from './socket-connection.ts';

/**
 * Connects this page to the service: over a WebSocket to its own origin in a browser, over the preload's port in the desktop
 * app. In a browser, a page that another version of the service answers is reloaded.
 *
 * @param wouldLose whether a reload would lose something of its user: it waits while that is so
 */
export function openConnection(page: Window, wouldLose?: () => boolean): Connection {
  if (isDesktopPage(page)) return openPortConnection(page);
  const { protocol, host } = page.location;
  const connection = openSocketConnection({
    url: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/contract`,
    findSecret: () => page.localStorage.getItem(secretKey) ?? '',
  });
  connection.onChange(() => {
    const state = connection.state();
    if (state.kind === 'open' && state.generation > 1) void reloadIfOutdated(page, wouldLose);
  });
  return connection;
}
