import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { WebSocket } from 'ws';
import { secretProtocol } from '../shared/page-session.ts';
import { isAllowedHost } from './allowed-host.ts';
import type { UiSessions } from './ui-session.ts';

/** The parts of a request that decide whether it may see the UI. */
export type UiRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The checks of every request for the UI, and of every socket for the contract. */
export interface UiAccess {
  /** Whether `Host` names this computer and the port the request came to. */
  isForUs(request: UiRequest): boolean;
  /** The origin under which it has reached us, if `Host` is ours. */
  findOrigin(request: UiRequest): string | undefined;
  /** Whether its cookie belongs to a session. */
  hasSession(request: UiRequest): boolean;
  /** Whether it comes from that session's page: its `Authorization` has the page's secret. */
  isFromPage(request: UiRequest): boolean;
  /** Why it may not have a socket, in a sentence; undefined if it may. */
  findSocketRefusal(request: UiRequest): string | undefined;
  /** Its socket is open: until that closes, the session counts as used. */
  keepSession(request: UiRequest, socket: WebSocket): void;
  /** Exchanges a one-time token, printed or issued, for a session; undefined for any other text. */
  beginSession(request: UiRequest, token: string): Promise<{ setCookie: string; pageSecret: string } | undefined>;
  /** `Set-Cookie` with the cookie it has, whose lifetime in the browser starts over; undefined without a session. */
  renewCookie(request: UiRequest): string | undefined;
}

/**
 * How long a browser keeps the cookie, in seconds: 400 days, the most that browsers accept (RFC 6265bis §5.5). Without it, closing the
 * browser would end the session. `UiSessions` ends unused ones much earlier.
 */
const cookieMaxAgeSeconds = 400 * 24 * 60 * 60;

/** The answer to a request whose `Host` isn't ours. */
export const notForUs = "This isn't an address of Tallylight on this computer. Open the last address that it printed.";
/** The answer to a browser whose cookie, or to a page whose secret, belongs to no session. */
export const noSession = 'This browser has no session. Open the last address that Tallylight printed.';

/** Decides who may see the UI bound to `host`; see `registerUi`. */
export function createUiAccess(options: { sessions: UiSessions; host: string; ownNames: () => readonly string[] }): UiAccess {
  const { sessions, host, ownNames } = options;
  const port = ({ socket }: UiRequest) => socket.localPort ?? 0;
  const isEncrypted = ({ socket }: UiRequest) => socket instanceof TLSSocket;
  const isForUs = (request: UiRequest) =>
    isAllowedHost(request.headers.host, {
      host,
      names: ownNames(),
      port: port(request),
      isEncrypted: isEncrypted(request),
    });
  const originOf = (request: UiRequest) => `${isEncrypted(request) ? 'https' : 'http'}://${request.headers.host}`;
  const formatSetCookie = (request: UiRequest, cookie: string) => {
    const secure = isEncrypted(request) ? '; Secure' : '';
    return `${cookieName(port(request))}=${cookie}; Path=/; Max-Age=${cookieMaxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  };
  const cookieOf = (request: UiRequest) => findCookie(request.headers.cookie, cookieName(port(request)));
  return {
    isForUs,
    findOrigin: (request) => (isForUs(request) ? originOf(request) : undefined),
    hasSession: (request) => sessions.isValid(cookieOf(request)),
    isFromPage: (request) => sessions.isValidPage({ cookie: cookieOf(request), pageSecret: findBearer(request) }),
    findSocketRefusal(request) {
      if (!isForUs(request)) return notForUs;
      if (!sessions.isValidPage({ cookie: cookieOf(request), pageSecret: findOfferedSecret(request) })) return noSession;
      return request.headers.origin === originOf(request) ? undefined : "Only Tallylight's own page may connect here.";
    },
    keepSession(request, socket) {
      const cookie = cookieOf(request);
      if (cookie === undefined) return;
      const page = sessions.openPage(cookie);
      socket.on('pong', page.heard);
      socket.on('close', page.close);
    },
    async beginSession(request, token) {
      const session = sessions.exchange(token) ?? (await sessions.exchangeIssued(token));
      if (session === undefined) return undefined;
      return { setCookie: formatSetCookie(request, session.cookie), pageSecret: session.pageSecret };
    },
    renewCookie(request) {
      const cookie = cookieOf(request);
      return cookie !== undefined && sessions.isValid(cookie) ? formatSetCookie(request, cookie) : undefined;
    },
  };
}

/** `Authorization: Bearer …` (RFC 6750 §2.1). */
function findBearer({ headers }: UiRequest): string | undefined {
  return /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '')?.[1];
}

/** The page's secret among the subprotocols it offers, the one thing a page can send when it opens a socket (RFC 6455 §4.1). */
function findOfferedSecret({ headers }: UiRequest): string | undefined {
  const offered = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim()) ?? [];
  return offered.find((protocol) => protocol.startsWith(secretProtocol))?.slice(secretProtocol.length);
}

/** Cookies ignore ports: without it, two Tallylights on one computer would end each other's sessions. */
function cookieName(port: number): string {
  return `tallylight_${port}`;
}

/** The value of a cookie in a `Cookie` header (RFC 6265bis §4.2.1). */
function findCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
