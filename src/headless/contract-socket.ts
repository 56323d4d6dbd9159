import fastifyWebsocket from '@fastify/websocket';
import { RPCHandler } from '@orpc/server/ws';
import type { FastifyInstance } from 'fastify';
import type { ContractRouter } from '../service/handlers/router.ts';

/** Where the contract's WebSocket is. */
export const contractPath = '/contract';

/** Bounds of one browser's socket; tests pass their own. */
export interface SocketBounds {
  /** The largest message taken; calls of the contract are far smaller. */
  maxMessageBytes: number;
  /** What may wait to be sent to a browser that reads slowly; more, and it is cut off and connects anew. */
  maxQueuedBytes: number;
  /** How often a browser must show that it is there: one that left without a word is noticed at the second. */
  pingIntervalMs: number;
}

const defaultSocketBounds: SocketBounds = {
  maxMessageBytes: 1024 * 1024,
  maxQueuedBytes: 8 * 1024 * 1024,
  pingIntervalMs: 30_000,
};

/** Serves the contract at `/contract` as a WebSocket; whoever registers it has checked who asks. */
export async function registerContractSocket(
  app: FastifyInstance,
  { router, bounds = defaultSocketBounds }: { router: ContractRouter; bounds?: SocketBounds | undefined },
) {
  const handler = new RPCHandler(router);
  await app.register(fastifyWebsocket, { options: { maxPayload: bounds.maxMessageBytes } });
  app.get(contractPath, { websocket: true }, async (socket) => {
    let isThere = true;
    socket.on('pong', () => {
      isThere = true;
    });
    // A frame that breaks the protocol or the bound ends the socket by itself; unheard, the event would end the process.
    socket.on('error', () => {});
    const timer = setInterval(() => {
      if (!isThere || socket.bufferedAmount > bounds.maxQueuedBytes) {
        socket.terminate();
        return;
      }
      isThere = false;
      socket.ping();
    }, bounds.pingIntervalMs);
    socket.on('close', () => clearInterval(timer));
    await handler.upgrade(socket, { context: {} });
  });
}
