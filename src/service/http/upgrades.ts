import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { findHostFault } from './asked-origin.ts';
import { sendLastAnswer } from './last-answer.ts';
import { findReasonPhrase } from './reason-phrase.ts';
import { lacksTls, tlsRequired } from './tls-required.ts';

type OnUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => void;

/** The paths with WebSockets of each server. */
const pathsOf = new WeakMap<Server, Map<string, OnUpgrade>>();

/**
 * Lets `server` upgrade to WebSockets (RFC 6455) at `path`; other paths are refused.
 *
 * @returns ends it: the path is refused again.
 */
export function serveUpgrades(server: Server, path: string, onUpgrade: OnUpgrade): () => void {
  const paths = pathsOf.get(server) ?? watchUpgrades(server);
  paths.set(path, onUpgrade);
  return () => {
    paths.delete(path);
  };
}

function watchUpgrades(server: Server): Map<string, OnUpgrade> {
  const paths = new Map<string, OnUpgrade>();
  pathsOf.set(server, paths);
  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const fault = findHostFault(request);
    if (fault !== undefined) return refuseUpgrade(connection, 400, fault);
    if (lacksTls(server, request.socket)) return refuseUpgrade(connection, 403, tlsRequired);
    const onUpgrade = paths.get(request.url?.split('?', 1)[0] ?? '');
    if (onUpgrade === undefined) refuseUpgrade(connection, 404, 'There is nothing at this path.');
    else onUpgrade(request, connection, head);
  });
  // Node 24.9 and later; the types don't have it yet.
  Object.assign(server, { shouldUpgradeCallback: asksForWebSocket });
  return paths;
}

/**
 * Whether a request asks for the one protocol we upgrade to. Others, such as `h2c` from curl's `--http2` and Java's HttpClient,
 * are ignored and the request is answered normally (RFC 9110 §7.8).
 */
function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/**
 * Answers an upgrade, or a request for a tunnel, in plain HTTP and ends the connection: the server has let go of it, so it must not
 * stay open.
 */
export function refuseUpgrade(connection: Duplex, status: number, sentence: string): void {
  const body = `${sentence}\n`;
  const head = [
    `HTTP/1.1 ${status} ${findReasonPhrase(status)}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  connection.on('error', () => {});
  sendLastAnswer(connection, `${head.join('\r\n')}\r\n\r\n${body}`, () => connection.destroy());
}
