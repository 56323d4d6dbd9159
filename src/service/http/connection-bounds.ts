import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { HttpBounds } from '../config.ts';
import { groupAddress, isLoopback } from '../lib/address-group.ts';
import { createSeldomWarning } from '../lib/log-seldom.ts';
import type { Logger } from '../ports.ts';
import { startInTurn } from './in-turn.ts';

/** Closes connections beyond the total and per-address limits without an answer. WebSockets count while they are open. */
export function boundConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: Pick<HttpBounds, 'maxConnections' | 'maxConnectionsPerAddress'>,
  log: Logger,
): void {
  const warn = createSeldomWarning(log, () => performance.now());
  const perAddress = new Map<string, number>();
  let count = 0;
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const group = groupAddress(remoteAddress);
    const ofAddress = perAddress.get(group) ?? 0;
    const most = isLoopback(remoteAddress) ? maxConnections : maxConnectionsPerAddress;
    if (count >= maxConnections || ofAddress >= most) {
      const sentence = `An HTTP connection was refused: ${count} are open, ${ofAddress} of them from its address.`;
      warn({ remoteAddress }, sentence);
      socket.destroy();
      return;
    }
    count += 1;
    perAddress.set(group, ofAddress + 1);
    socket.once('close', () => {
      count -= 1;
      const left = (perAddress.get(group) ?? 1) - 1;
      if (left === 0) perAddress.delete(group);
      else perAddress.set(group, left);
    });
  });
}

/**
 * Starts the requests of a connection one after another, and closes connections with more requests than they may have before they are
 * answered. None of those is answered then.
 */
export function boundPipelining(app: FastifyInstance, { maxPipelined }: Pick<HttpBounds, 'maxPipelined'>): void {
  const unanswered = new WeakMap<object, number>();
  // In a hook: Node passes on all requests that it has received, even after their connection was closed.
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (count <= maxPipelined) return startInTurn(reply.raw, done);
    reply.hijack();
    socket.destroy();
  });
}
