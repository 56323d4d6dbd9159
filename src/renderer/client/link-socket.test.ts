import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { expect, test, vi } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import type { ContractClient } from './connection.ts';
import { linkSocket } from './link-socket.ts';

/** A socket as browsers make it, without a network. */
function fakeSocket() {
  const states = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 } as const;
  return Object.assign(new EventTarget(), { ...states, readyState: states.OPEN as number, send: vi.fn() });
}

test('while its socket closes, what is cancelled fails nowhere, and a call fails once it has closed', async () => {
  const socket = fakeSocket();
  const link = new RPCLink({ websocket: linkSocket(socket as unknown as WebSocket) });
  const { service }: ContractClient = createORPCClient(link);
  const abort = new AbortController();
  const cancelled = service.networkReturned(undefined, { signal: abort.signal });
  await soon(() => expect(socket.send).toHaveBeenCalled());

  socket.readyState = socket.CLOSING;
  // A rejection that nobody awaits also fails the test, as an unhandled error.
  abort.abort(new Error('Not needed any more.'));
  await expect(cancelled).rejects.toThrow('Not needed any more.');
  const late = service.networkReturned();
  await new Promise((resolve) => setTimeout(resolve));
  socket.readyState = socket.CLOSED;
  socket.dispatchEvent(new Event('close'));
  await expect(late).rejects.toThrow();
  await expect(service.networkReturned()).rejects.toThrow('WebSocket is not open');
  expect(socket.send).toHaveBeenCalledOnce();
});
