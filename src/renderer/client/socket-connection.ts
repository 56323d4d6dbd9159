import { RPCLink } from '@orpc/client/websocket';
import { contractProtocol, secretProtocol, sessionPath } from '../../shared/page-session.ts';
import { type Connection, createConnectionCore } from './connection.ts';
import { followHeartbeat } from './heartbeat.ts';
import { linkSocket } from './link-socket.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** How a page in a browser reaches the service. */
interface SocketOptions {
  /** `ws://` or `wss://` URL of the contract. */
  url: string;
  /**
   * The page's secret. Asked for each attempt, since another tab may have started a newer session. '' without a session: the service
   * refuses it, and the page says so.
   */
  findSecret: () => string;
}

/** How long a socket may take to open; browsers themselves would wait minutes. */
const openingMs = 5_000;

/** The contract over a WebSocket, reopened whenever it closes or goes silent. */
export function openSocketConnection({ url, findSecret }: SocketOptions): Connection {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let closed = false;

  const connect = () => {
    clearTimeout(timer);
    timer = undefined;
    if (closed) return;
    const pageSecret = findSecret();
    const current = new WebSocket(url, [contractProtocol, `${secretProtocol}${pageSecret}`]);
    socket = current;
    // Blobs would be read asynchronously and could overtake each other.
    current.binaryType = 'arraybuffer';
    let opened = false;
    let silentSinceMs: number | undefined;
    /** A dead socket reports its close only after a minute; tell the listeners now. */
    const giveUp = () => {
      current.dispatchEvent(new Event('close'));
      current.close();
    };
    const opening = setTimeout(giveUp, openingMs);
    current.addEventListener('open', () => {
      clearTimeout(opening);
      opened = true;
      failures = 0;
      core.opened(new RPCLink({ websocket: linkSocket(current) }));
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
        // Another attempt may have succeeded meanwhile.
        if (!refused || closed || core.state().kind === 'open') return;
        if (findSecret() === pageSecret) core.refused();
        else connectNow();
      });
    });
  };
  /** The network is back, the page is visible again, or there is another secret: retry at once. */
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

/** 401 or 403 here means the service knows no session of this page. */
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
