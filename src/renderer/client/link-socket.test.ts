import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { os, type RouterClient } from '@orpc/server';
import { RPCHandler } from '@orpc/server/ws';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { linkSocket } from './link-socket.ts';

test('while its socket closes, what is cancelled fails nowhere, and a call fails once it has closed', async () => {
  const asked = Promise.withResolvers<void>();
  const wait = os.handler(() => {
    asked.resolve();
    return new Promise<void>(() => {});
  });
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => new RPCHandler({ wait }).upgrade(socket));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const link = new RPCLink({ websocket: linkSocket(socket as unknown as globalThis.WebSocket) });
  const client: RouterClient<{ wait: typeof wait }> = createORPCClient(link);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));

  const abort = new AbortController();
  const cancelled = client.wait(undefined, { signal: abort.signal });
  await asked.promise;
  socket.close();
  abort.abort(new Error('Not needed any more.'));
  await expect(cancelled).rejects.toThrow('Not needed any more.');
  await expect(client.wait()).rejects.toThrow();
  expect(socket.readyState).toBe(socket.CLOSED);
  expect(unhandled).toEqual([]);
});
