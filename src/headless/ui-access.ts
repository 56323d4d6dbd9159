import type { IncomingMessage } from 'node:http';
import { isAllowedHost } from './allowed-host.ts';
import type { UiSessions } from './ui-session.ts';

/** What a request brings that decides whether it may see the UI. */
export type UiRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The checks of every request for the UI, and of every socket for the contract. */
export interface UiAccess {
  /** Whether `Host` names this computer and the port the request came to. */
  isForUs(request: UiRequest): boolean;
  /** Whether its cookie is that of a session. */
  hasSession(request: UiRequest): boolean;
  /** Why it may not have a socket, in a sentence; undefined when it may. */
  findSocketRefusal(request: UiRequest): string | undefined;
  /** Trades the printed URL's token for the `Set-Cookie` that begins a session; undefined for any other text. */
  beginSession(request: UiRequest, token: string): string | undefined;
}

export const notForUs = 'This is not an address of Tallylight on this computer; open the URL that it printed when it started.';
export const noSession = 'This browser has no session; open the URL that Tallylight printed when it started.';

/** Decides who may see the UI that is bound to `host`: see `registerUi`. */
export function createUiAccess({ sessions, host }: { sessions: UiSessions; host: string }): UiAccess {
  const port = ({ socket }: UiRequest) => socket.localPort ?? 0;
  const isForUs = (request: UiRequest) => isAllowedHost(request.headers.host, { host, port: port(request) });
  const hasSession = (request: UiRequest) => sessions.isValid(findCookie(request.headers.cookie, cookieName(port(request))));
  return {
    isForUs,
    hasSession,
    findSocketRefusal(request) {
      if (!isForUs(request)) return notForUs;
      if (!hasSession(request)) return noSession;
      const { origin, host: named } = request.headers;
      return origin === `http://${named}` ? undefined : 'Only the page of Tallylight itself may connect here.';
    },
    beginSession(request, token) {
      const session = sessions.exchange(token);
      return session && `${cookieName(port(request))}=${session}; Path=/; HttpOnly; SameSite=Strict`;
    },
  };
}

/** Cookies know no ports: two Tallylights on one computer would else end each other's sessions. */
function cookieName(port: number): string {
  return `tallylight_${port}`;
}

/** The value of a cookie in a `Cookie` header (RFC 6265 §4.2.1). */
function findCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
