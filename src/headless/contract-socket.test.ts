import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { implement, os, type RouterClient } from '@orpc/server';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { soon } from '../../test/support/soon.ts';
import type { ContractRouter } from '../service/handlers/router.ts';
import { createEventSource } from '../service/lib/event-source.ts';
import { watchValue } from '../service/lib/watch-value.ts';
import { contract } from '../shared/contract.ts';
import { contractProtocol } from '../shared/page-session.ts';
import { pause } from '../shared/pause.ts';
import { type SocketBounds, serveContractSocket } from './contract-socket.ts';

/** Pings are as rare as in use: a computer that hangs for a moment would break off the sockets of other tests with them. */
const bounds: SocketBounds = { maxMessageBytes: 1000, maxQueuedBytes: 1000, pingIntervalMs: 30_000, goodbyeTimeoutMs: 20 };
/** Only sockets are tested; calls aren't answered. */
const router = implement(contract).$context() as unknown as ContractRouter;

let server: Server;
let closeSockets: () => Promise<void>;
let refusal: string | undefined;
beforeEach(async () => {
  refusal = undefined;
  server = createServer();
  closeSockets = serveContractSocket(server, { router, findRefusal: () => refusal, bounds });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  await closeSockets();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;
const open = (options: ClientOptions = {}) => new WebSocket(`ws://127.0.0.1:${port()}/contract`, options);
const closeCode = async (socket: WebSocket) => ((await once(socket, 'close')) as [number])[0];

/** Requests an upgrade over a bare connection and reads until the server ends it. */
async function readRefusal(path: string): Promise<string> {
  const connection = connect(port(), '127.0.0.1');
  connection.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  return await text(connection);
}

test('a refusal gives its reason in plain HTTP and ends the connection', async () => {
  refusal = 'Only the page may connect here.';
  expect(await readRefusal('/contract')).toBe(
    'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 32\r\n\r\nOnly the page may connect here.\n',
  );
});

test('there is no socket at any other path', async () => {
  for (const path of ['/', '/contract/', '/contractor', '/api/contract', '/?/contract']) {
    expect(await readRefusal(path)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  }
});

test.each(['h2c', 'HTTP/2.0, h2c', 'TLS/1.0'])(
  'an upgrade to %s is ignored, and the requests are answered',
  async (protocol) => {
    server.on('request', (request, response) => response.end(`${request.url} as ever`));
    const connection = connect(port(), '127.0.0.1');
    connection.write(
      `GET /first HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
    );
    const [first] = (await once(connection, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/first as ever/s);
    connection.write('GET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(connection)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\/second as ever/s);
  },
);

test('a message beyond the bound ends only its own socket, with 1009', async () => {
  const [large, other] = [open(), open()];
  await Promise.all([once(large, 'open'), once(other, 'open')]);
  large.send('x'.repeat(bounds.maxMessageBytes + 1));
  expect(await closeCode(large)).toBe(1009);
  expect(other.readyState).toBe(WebSocket.OPEN);
});

/** Aborts a call that never was, so nothing is answered. */
const abort = '{"i":"1","t":4}';

/** A client's text frame, masked with zeros (RFC 6455 §5.2). */
function maskedFrame(message: string): Buffer {
  return Buffer.from([0x81, 0x80 | message.length, 0, 0, 0, 0, ...Buffer.from(message)]);
}

/** A socket whose frames the test writes itself, and which is read only on request. */
async function openBare() {
  const connection = connect(port(), '127.0.0.1');
  connection.on('error', () => {});
  connection.write(
    'GET /contract HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(connection, 'data');
  return connection;
}

test('each turn of the event loop handles one message per socket in a flood', async () => {
  using emit = vi.spyOn(WebSocket.prototype, 'emit');
  const connection = await openBare();
  const count = 300;
  connection.write(Buffer.concat(Array.from({ length: count }, () => maskedFrame(abort))));
  const perTurn: number[] = [];
  let heard = 0;
  while (heard < count) {
    await new Promise(setImmediate);
    const now = emit.mock.calls.filter(([event]) => event === 'message').length;
    perTurn.push(now - heard);
    heard = now;
  }
  connection.destroy();
  expect(Math.max(...perTurn)).toBe(1);
});

test('anything but a call ends its socket, and so does asking without reading the answers', async () => {
  const nonsense = open();
  await once(nonsense, 'open');
  nonsense.send('nonsense');
  expect(await closeCode(nonsense)).toBe(1007);
  const unread = await openBare();
  const ended = once(unread, 'close');
  unread.pause();
  using served = vi.spyOn(WebSocket.prototype, 'bufferedAmount', 'get').mockReturnValue(bounds.maxQueuedBytes + 1);
  unread.write(maskedFrame(abort));
  await soon(() => expect(served).toHaveBeenCalled());
  unread.resume();
  await ended;
});

test('a browser that reads slowly gets the newest value next, not all that it has missed', async () => {
  let changes = 0;
  const changed = createEventSource<void>();
  const watch = os.handler(({ signal }) =>
    watchValue(() => ({ changes, filler: 'x'.repeat(256 * 1024) }), {
      onChange: changed.on,
      signal: signal ?? new AbortController().signal,
      minIntervalMs: 0,
    }),
  );
  const busy = createServer();
  const closeBusy = serveContractSocket(busy, { router: { watch } as unknown as ContractRouter, findRefusal: () => undefined });
  onTestFinished(async () => {
    await closeBusy();
    busy.close();
  });
  await once(busy.listen(0, '127.0.0.1'), 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(busy.address() as AddressInfo).port}/contract`, contractProtocol);
  const client: RouterClient<{ watch: typeof watch }> = createORPCClient(
    new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }),
  );
  const values = await client.watch();
  await values.next();

  socket.pause();
  // More than the buffers of both sockets take.
  for (let sent = 0; sent < 200; sent += 1) {
    changes += 1;
    changed.emit();
    await pause(2);
  }
  socket.resume();
  const seen: number[] = [];
  for await (const value of values) {
    seen.push(value.changes);
    if (value.changes === changes) break;
  }
  expect(seen.length).toBeLessThan(changes / 2);
});

test('a browser that answers pings stays connected, another is disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  using emit = vi.spyOn(WebSocket.prototype, 'emit');
  const pongs = () => emit.mock.calls.filter(([event]) => event === 'pong').length;
  const [there, gone] = [open(), open({ autoPong: false })];
  await Promise.all([once(there, 'open'), once(gone, 'open')]);
  const code = closeCode(gone);
  for (const answered of [1, 2]) {
    vi.advanceTimersByTime(bounds.pingIntervalMs);
    await soon(() => expect(pongs()).toBe(answered));
  }
  expect(await code).toBe(1006);
  expect(there.readyState).toBe(WebSocket.OPEN);
});

test('closing sends 1001, waits no longer than the bound, and refuses new sockets', async () => {
  const polite = open();
  await once(polite, 'open');
  const silent = connect(port(), '127.0.0.1');
  silent.write(
    'GET /contract HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(silent, 'data');
  const codes = closeCode(polite);
  await closeSockets();
  expect(await codes).toBe(1001);
  silent.destroy();
});
