import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.ts';
import { startOddServer } from './odd-server.ts';
import { soon } from './soon.ts';
import { testAuthority } from './tls-fixtures.ts';

/** A server that collects its input and echoes it, behind a proxy, and a client of the proxy. */
async function setUp(options: FaultProxyOptions = {}) {
  const stack = new AsyncDisposableStack();
  const received: Buffer[] = [];
  const server = stack.use(
    await startOddServer((socket) =>
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes);
        socket.write(bytes);
      }),
    ),
  );
  const proxy = stack.use(await startFaultProxy(server.port, options));
  return {
    proxy,
    server,
    receivedBytes: () => Buffer.concat(received).length,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function open({ port }: FaultProxy, host = '127.0.0.1') {
  const socket = connect({ port, host });
  return watch(socket, 'connect');
}

async function openTls({ port }: FaultProxy) {
  return watch(connectTls({ port, host: 'localhost', servername: 'localhost', ca: testAuthority }), 'secureConnect');
}

async function watch(socket: Socket, openEvent: string) {
  const replies: Buffer[] = [];
  let error: string | undefined;
  socket.on('data', (bytes: Buffer) => replies.push(bytes));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  // `once` rejects at an error, which the caller reads from `error`.
  await once(socket, openEvent).catch(() => {});
  return { socket, repliedBytes: () => Buffer.concat(replies).length, error: () => error };
}

test.concurrent('what is sent arrives, and so does the end of each side', async () => {
  await using stage = await setUp();
  const { socket, repliedBytes } = await open(stage.proxy);
  socket.end(Buffer.alloc(100_000));
  await once(socket, 'close');
  expect([stage.receivedBytes(), repliedBytes(), stage.proxy.openCount]).toEqual([100_000, 100_000, 0]);
});

test.concurrent.each(['plain', 'TLS'])('reset: both sides of a %s connection have an error', async (kind) => {
  await using stage = await setUp(kind === 'TLS' ? { certificate: 'ingest' } : {});
  const { socket, error, repliedBytes } = await (kind === 'TLS' ? openTls : open)(stage.proxy);
  socket.write('hello');
  await soon(() => expect(repliedBytes()).toBe(5));
  stage.proxy.reset();
  await soon(() => expect(error()).toBe('ECONNRESET'));
  await soon(() => expect([...stage.server.sockets].map(({ destroyed }) => destroyed)).toEqual([true]));
});

test.concurrent('stalled bytes arrive later, lost ones never', async () => {
  await using stage = await setUp();
  const { socket, repliedBytes } = await open(stage.proxy);
  stage.proxy.stall();
  socket.write('stalled');
  stage.proxy.delay(1);
  stage.proxy.resume();
  await soon(() => expect(repliedBytes()).toBe(7));
  stage.proxy.loseAll();
  const since = socket.bytesWritten;
  socket.write('lost');
  await soon(() => expect(socket.bytesWritten).toBe(since + 4));
  // Long enough for the proxy to have read them.
  await new Promise((resolve) => setTimeout(resolve, 100));
  stage.proxy.resume();
  socket.write('found');
  await soon(() => expect([stage.receivedBytes(), repliedBytes()]).toEqual([12, 12]));
});

test.concurrent('delay: each way takes that long', async () => {
  await using stage = await setUp();
  stage.proxy.delay(100);
  const { socket, repliedBytes } = await open(stage.proxy);
  const since = performance.now();
  socket.write('hello');
  await soon(() => expect(repliedBytes()).toBe(5));
  expect(performance.now() - since).toBeGreaterThanOrEqual(199);
});

test.concurrent('throttle: no more than that gets through, until it ends', async () => {
  await using stage = await setUp();
  const { socket, repliedBytes } = await open(stage.proxy);
  stage.proxy.throttle(800_000);
  const since = performance.now();
  socket.write(Buffer.alloc(2_000_000));
  await soon(() => expect(stage.receivedBytes()).toBeGreaterThan(20_000));
  const bitsPerSecond = (stage.receivedBytes() * 8_000) / (performance.now() - since);
  expect(bitsPerSecond).toBeLessThan(1_200_000);
  stage.proxy.throttle(undefined);
  await soon(() => expect(repliedBytes()).toBe(2_000_000));
});

test.concurrent('refuse: new connections are refused, open ones stay, and the port comes back', async () => {
  const host = '127.0.0.9';
  await using stage = await setUp({ host });
  const { port } = stage.proxy;
  const old = await open(stage.proxy, host);
  stage.proxy.refuse();
  expect((await open(stage.proxy, host)).error()).toBe('ECONNREFUSED');
  old.socket.write('still here');
  await soon(() => expect(old.repliedBytes()).toBe(10));
  await stage.proxy.accept();
  const next = await open(stage.proxy, host);
  next.socket.write('back');
  await soon(() => expect(next.repliedBytes()).toBe(4));
  expect([stage.proxy.port, stage.proxy.connectionCount]).toEqual([port, 2]);
});

test.concurrent('another certificate holds for the connections that follow', async () => {
  await using stage = await setUp({ certificate: 'expired' });
  expect((await openTls(stage.proxy)).error()).toBe('CERT_HAS_EXPIRED');
  stage.proxy.certificate = 'ingest';
  const { socket, repliedBytes } = await openTls(stage.proxy);
  socket.write('hello');
  await soon(() => expect(repliedBytes()).toBe(5));
  expect(stage.proxy.names).toEqual(['localhost']);
});
