import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { RPCHandler } from '@orpc/server/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ContractRouter } from '../service/handlers/router.ts';
import { refuseUpgrade, serveUpgrades } from '../service/http/upgrades.ts';
import { watchSocket } from '../service/http/watch-socket.ts';
import { runHarmlessly } from '../service/lib/faults.ts';
import { contractProtocol } from '../shared/page-session.ts';

/** Path of the contract's WebSocket. */
const contractPath = '/contract';

/** Bounds of one browser's socket; tests pass their own. */
export interface SocketBounds {
  /** The largest message accepted; calls of the contract are far smaller. */
  maxMessageBytes: number;
  /** How much may wait for a browser that reads slowly. Beyond it, the browser is disconnected and reconnects. */
  maxQueuedBytes: number;
  /** How often a browser must answer a ping; a vanished browser is noticed at the second ping. */
  pingIntervalMs: number;
  /** How long a browser may take to close its socket when the host closes. */
  goodbyeTimeoutMs: number;
}

const defaultSocketBounds: SocketBounds = {
  maxMessageBytes: 1024 * 1024,
  maxQueuedBytes: 8 * 1024 * 1024,
  pingIntervalMs: 30_000,
  goodbyeTimeoutMs: 500,
};

/** The checks of requests and the router of calls for the socket. */
interface ContractSocketOptions {
  router: ContractRouter;
  /** Why a request may not have a socket, in a sentence; undefined if it may. */
  findRefusal: (request: IncomingMessage) => string | undefined;
  /** A page's socket is open. */
  onOpen?: (request: IncomingMessage, socket: WebSocket) => void;
  bounds?: SocketBounds | undefined;
}

/**
 * Serves the contract as a WebSocket (RFC 6455) at `/contract` of `server`; other paths are refused.
 *
 * @returns ends every socket.
 */
export function serveContractSocket(
  server: Server,
  { router, findRefusal, onOpen, bounds = defaultSocketBounds }: ContractSocketOptions,
): () => Promise<void> {
  const handler = new RPCHandler(router);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: bounds.maxMessageBytes,
    // One message or ping per socket and turn of the event loop, so that a flood delays nobody else.
    allowSynchronousEvents: false,
    // Never echo the secret that the page offers besides it.
    handleProtocols: (offered) => offered.has(contractProtocol) && contractProtocol,
  });
  const onUpgrade = (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const refusal = findRefusal(request);
    if (refusal !== undefined) return refuseUpgrade(connection, 403, refusal);
    sockets.handleUpgrade(request, connection, head, (socket) => {
      watchSocket(socket, bounds);
      onOpen?.(request, socket);
      runHarmlessly(() => handler.upgrade(adaptSocket(socket, bounds), { context: {} }), 'serving a page');
    });
  };
  const endUpgrades = serveUpgrades(server, contractPath, onUpgrade);
  return async () => {
    endUpgrades();
    await Promise.all([...sockets.clients].map((socket) => sayGoodbye(socket, bounds)));
  };
}

/**
 * The socket as the contract uses it. A message that can't be a call ends it with 1007 (RFC 6455 §7.4.1), and so does a browser
 * that keeps asking without reading the answers.
 *
 * `send` resolves once the message has left this process: only then is a subscription asked for its next value, so that a slow
 * browser gets the newest value instead of all that it has missed.
 */
function adaptSocket(socket: WebSocket, { maxQueuedBytes }: SocketBounds): Parameters<RPCHandler<object>['upgrade']>[0] {
  return {
    send: (message: string | Uint8Array) => new Promise<void>((resolve) => socket.send(message, () => resolve())),
    addEventListener(type: 'message' | 'close', listener: (event: WebSocket.MessageEvent & WebSocket.CloseEvent) => void) {
      if (type === 'close') {
        socket.addEventListener('close', listener as (event: WebSocket.CloseEvent) => void);
        return;
      }
      socket.addEventListener('message', (event) => {
        if (socket.readyState !== socket.OPEN) return;
        if (socket.bufferedAmount > maxQueuedBytes) socket.terminate();
        else if (isCall(event.data)) listener(event as WebSocket.MessageEvent & WebSocket.CloseEvent);
        else socket.close(1007);
      });
    },
  } as Parameters<RPCHandler<object>['upgrade']>[0];
}

/** Calls are JSON objects. */
function isCall(data: WebSocket.Data): boolean {
  return (typeof data === 'string' ? data.charCodeAt(0) : data instanceof Buffer ? data[0] : undefined) === openBrace;
}

const openBrace = 0x7b;

/** Close code 1001 is "going away" (RFC 6455 §7.4.1): the page reconnects when the host is back. */
async function sayGoodbye(socket: WebSocket, { goodbyeTimeoutMs }: SocketBounds) {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  socket.close(1001);
  const silent = setTimeout(() => socket.terminate(), goodbyeTimeoutMs);
  await promise;
  clearTimeout(silent);
}
