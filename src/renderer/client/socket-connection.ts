import { RPCLink } from '@orpc/client/websocket';
import { contractProtocol, secretProtocol, sessionPath } from '../../shared/page-session.ts';
import { type Connection, createConnectionCore } from './connection.ts';
import { followHeartbeat } from './heartbeat.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** How a page in a browser reaches the service. */
interface SocketOptions {
  /** `ws://` or `wss://` URL of the contract. */
  url: string;
  /** The secret of this page's session, if it has one; asked for at each attempt, since another tab may have begun a newer one. */
  findPageSecret: () => string | undefined;
}

/** A socket that has not opened by then does not reach the service: a browser alone would wait for minutes. */
const openingMs = 5_000;

/** The contract over a WebSocket, which opens itself again whenever it falls, or nothing is heard over it any more. */
export function openSocketConnection({ url, findPageSecret }: SocketOptions): Connection {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let closed = false;

  const connect = () => {
    clearTimeout(timer);
    timer = undefined;
    if (closed) return;
    const pageSecret = findPageSecret() ?? '';
    const current = new WebSocket(url, [contractProtocol, `${secretProtocol}${pageSecret}`]);
    socket = current;
    // Blobs would be read asynchronously and could overtake each other.
    current.binaryType = 'arraybuffer';
    let opened = false;
    let silentSinceMs: number | undefined;
    /** A socket that leads nowhere tells of its own end after a minute only: all who listen hear of it now. */
    const giveUp = () => {
      current.dispatchEvent(new Event('close'));
      current.close();
    };
    const opening = setTimeout(giveUp, openingMs);
    current.addEventListener('open', () => {
      clearTimeout(opening);
      opened = true;
      failures = 0;
      core.opened(new RPCLink({ websocket: current }));
      const heartbeat = followHeartbeat(core, {
        onSilent: (sinceMs) => {
          silentSinceMs = sinceMs;
          giveUp();
        },
      });
      current.addEventListener('message', () => heartbeat.heard());
      current.addEventListener('close', () => heartbeat.end());
    });
    current.addEventListener('close', () => {
      clearTimeout(opening);
      if (closed || socket !== current) return;
      socket = undefined;
      core.lost(silentSinceMs);
      timer = setTimeout(connect, reconnectDelayMs(failures));
      failures += 1;
      if (opened) return;
      void askWhetherRefused(pageSecret).then((refused) => {
        if (refused && !closed) core.refused();
      });
    });
  };
  /** The network is back, or the page is looked at again: no reason to wait. */
  const connectNow = () => {
    if (timer !== undefined && !document.hidden) connect();
  };

  const core = createConnectionCore({
    now: () => Date.now(),
    onClose: () => {
      closed = true;
      clearTimeout(timer);
      window.removeEventListener('online', connectNow);
      document.removeEventListener('visibilitychange', connectNow);
      socket?.close();
    },
  });
  window.addEventListener('online', connectNow);
  document.addEventListener('visibilitychange', connectNow);
  connect();
  return core;
}

/** A service that answers 401 or 403 to this very page knows no session of it. */
async function askWhetherRefused(pageSecret: string): Promise<boolean> {
  try {
    const answer = await fetch(sessionPath, {
      headers: { authorization: `Bearer ${pageSecret}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(openingMs),
    });
    return answer.status === 401 || answer.status === 403;
  } catch {
    return false;
  }
}
