import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSocketCount } from '../../../test/support/accounting.ts';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { defaultHttpBounds, defaultIngestBounds, fitToDescriptors, type HttpBounds } from '../config.ts';
import { boundConnections } from './connection-bounds.ts';
import { createHttpServer } from './http-server.ts';

/** More than loopback sockets can buffer. */
const longBody = Buffer.alloc(48 * 1024 * 1024, 'x');

/** For slow readers. This process also reads, and may hang for two seconds on a busy computer. */
const slowWriteTimeoutMs = 2_400;

/** Bytes of all buffers that are still referenced. */
function readHeldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** A server of its own for each case, so that they can wait side by side. */
async function startServer(bounds: Partial<HttpBounds>) {
  const { log, lines } = createTestLog();
  const app = createHttpServer({ log, bounds: { ...defaultHttpBounds, ...bounds } });
  const sockets: Socket[] = [];
  app.get('/long', (_request, reply) => reply.send(longBody));
  app.get('/fresh', (_request, reply) => reply.send(Buffer.alloc(longBody.length)));
  app.get('/short', (_request, reply) => reply.send('short'));
  app.post('/short', (_request, reply) => reply.send('short'));
  let late = 0;
  app.get('/late', async () => {
    late += 1;
    return sleep(900, 'late');
  });
  app.get('/later', async () => sleep(2 * slowWriteTimeoutMs, 'later'));
  let requests = 0;
  app.server.on('request', () => {
    requests += 1;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const openSocket = async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const count = () => new Promise<number>((resolve) => app.server.getConnections((_error, open) => resolve(open)));
  const untilCount = async (expected: number) => {
    while ((await count()) !== expected) await sleep(20);
  };
  const destroySockets = () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  };
  const close = async () => {
    destroySockets();
    await app.close();
  };
  const untilAllGone = () => untilCount(0);
  return {
    countLate: () => late,
    /** Counts the requests that have arrived, answered or not. */
    countRequests: () => requests,
    lines,
    openSocket,
    destroySockets,
    count,
    untilCount,
    untilAllGone,
    [Symbol.asyncDispose]: close,
  };
}

const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test.concurrent('a slow reader gets the complete answer within the time limit', async () => {
  await using server = await startServer({ writeTimeoutMs: slowWriteTimeoutMs });
  const socket = await server.openSocket();
  const startedAt = performance.now();
  socket.write(head('/long'));
  expect(await readSlowly(socket)).toBeGreaterThanOrEqual(longBody.length);
  expect(performance.now() - startedAt).toBeGreaterThan(2 * slowWriteTimeoutMs);
});

test.concurrent('after a slowly read answer the service may take its time for the next one', async () => {
  await using server = await startServer({ writeTimeoutMs: slowWriteTimeoutMs });
  const socket = await server.openSocket();
  socket.write(head('/long'));
  // Send it while the previous answer is still being sent, so that it follows at once.
  await readSlowly(socket, (part) => part === 7 && socket.write(head('/later')));
  let rest = '';
  socket.on('data', (bytes) => {
    rest += bytes;
  });
  await soon(() => expect(rest).toMatch(/later$/));
});

/** Reads the long answer with a pause after each tenth; returns how many bytes arrived. */
async function readSlowly(socket: Socket, onPart: (part: number) => void = () => {}): Promise<number> {
  let size = 0;
  let part = 0;
  while (size < longBody.length && !socket.destroyed && !socket.readableEnded) {
    size += socket.read()?.length ?? 0;
    if (size < ((part + 1) * longBody.length) / 10) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    part += 1;
    onPart(part);
    await sleep(slowWriteTimeoutMs / 4);
  }
  return size;
}

/** For requests that never arrive completely. */
const brief = { headersTimeoutMs: 200, requestTimeoutMs: 300 };

test.concurrent.each<[what: string, bytes: string, status: number, bounds: Partial<HttpBounds>]>([
  ['is not HTTP', 'C1 handshake\r\n\r\n', 400, {}],
  ['has a head without an end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431, {}],
  ['stops in its head', 'GET / HTTP/1.1\r\nHost:', 408, brief],
  [
    'stops in its body',
    'POST /short HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    408,
    brief,
  ],
  ['says nothing', '', 408, brief],
])('a connection that %s is answered and closed, even if the client keeps it open', async (_what, bytes, status, bounds) => {
  await using server = await startServer(bounds);
  const socket = await server.openSocket();
  socket.write(bytes);
  const answer = text(socket);
  await server.untilAllGone();
  expect((await answer).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
});

test.concurrent('a client that does not read is disconnected after the write timeout', async () => {
  await using server = await startServer({ writeTimeoutMs: 300 });
  const socket = await server.openSocket();
  socket.pause();
  socket.write(head('/long').repeat(3));
  await server.untilCount(1);
  await server.untilAllGone();
});

test.concurrent('of requests that a connection sends without waiting for answers, a few are handled; with more it is closed', async () => {
  await using server = await startServer({ maxPipelined: 4 });
  const [polite, flood] = [await server.openSocket(), await server.openSocket()];
  polite.write(head('/short').repeat(4));
  await soon(() => expect(polite.bytesRead).toBeGreaterThan(4 * 100));
  flood.write(head('/late').repeat(5));
  await server.untilCount(1);
  // The others of the few were still waiting for their turn.
  expect(server.countLate()).toBe(1);
  expect(polite.destroyed).toBe(false);
});

test.concurrent('an answer that is read too slowly for its time limit is cut off', async () => {
  await using server = await startServer({ writeTimeoutMs: 60_000, answerTimeoutMs: 300 });
  const socket = await server.openSocket();
  socket.pause();
  socket.write(head('/long'));
  await server.untilAllGone();
});

test.concurrent('late answers are waited for, also for pipelined requests, and the connection remains usable', async () => {
  await using server = await startServer({ writeTimeoutMs: 200 });
  const socket = await server.openSocket();
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  socket.write(head('/short') + head('/late') + head('/short'));
  await soon(() => expect(heard.match(/short|late/g)).toEqual(['short', 'late', 'short']));
  await sleep(700);
  socket.write(head('/short'));
  await soon(() => expect(heard.match(/short|late/g)).toHaveLength(4));
});

test.concurrent('connections beyond the limit are closed and logged once, and one that ends makes room', async () => {
  await using server = await startServer({ maxConnections: 3, maxConnectionsPerAddress: 1 });
  const { openSocket } = server;
  const sockets = await Promise.all([openSocket(), openSocket(), openSocket()]);
  for (let turn = 0; turn < 5; turn += 1) await once((await openSocket()).resume(), 'end');
  expect(await server.count()).toBe(3);
  expect(server.lines.map(({ msg }) => msg)).toEqual([
    'An HTTP connection was refused: 3 are open, 3 of them from its address.',
  ]);
  sockets[0]?.destroy();
  await server.untilCount(2);
  const late = await openSocket();
  late.write(`GET /short HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(await text(late)).toContain('short');
});

// The rest counts what this process holds, so nothing runs beside it.

test('400 open connections that are not HTTP leak no descriptor', async () => {
  await using server = await startServer({});
  const before = openSocketCount();
  for (let turn = 0; turn < 400; turn += 1) (await server.openSocket()).write('\x03nonsense\r\n\r\n');
  await server.untilAllGone();
  server.destroySockets();
  await soon(() => expect(openSocketCount()).toBeLessThanOrEqual(before));
});

test.each([
  ['the write timeout', { writeTimeoutMs: 300 }],
  ['the limit for the complete answer', { writeTimeoutMs: 60_000, answerTimeoutMs: 300 }],
])('answers to clients that do not read are freed after %s', async (_, bounds) => {
  await using server = await startServer(bounds);
  const before = readHeldBytes();
  for (let turn = 0; turn < 3; turn += 1) {
    const socket = await server.openSocket();
    socket.pause();
    socket.write(head('/fresh').repeat(2));
  }
  await server.untilCount(3);
  await soon(() => expect(readHeldBytes() - before).toBeGreaterThan(2 * longBody.length));
  await server.untilAllGone();
  // The client sockets still exist but hold nothing.
  await soon(() => expect(readHeldBytes() - before).toBeLessThan(longBody.length / 4));
});

test('an answer that was read is forgotten, though its connection stays open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using server = await startServer({});
  const socket = await server.openSocket();
  socket.write(head('/late'));
  await soon(() => expect(server.countRequests()).toBe(1));
  expect(vi.getTimerCount()).toBe(1);
  await once(socket, 'data');
  await soon(() => {
    vi.advanceTimersByTime(500);
    expect(vi.getTimerCount()).toBe(0);
  });
  expect(await server.count()).toBe(1);
});

test('a request behind one that waits costs nothing until its turn, nor after its connection is closed', async () => {
  await using server = await startServer({});
  const before = readHeldBytes();
  const socket = await server.openSocket();
  socket.write(head('/later') + head('/fresh').repeat(3));
  await soon(() => expect(server.countRequests()).toBe(4));
  expect(readHeldBytes() - before).toBeLessThan(longBody.length / 4);
  socket.destroy();
  await server.untilAllGone();
  expect(readHeldBytes() - before).toBeLessThan(longBody.length / 4);
});

/** A server whose connections appear to come from any address. */
function openDoor() {
  const listeners: ((socket: object) => void)[] = [];
  const server = { on: (_name: string, listener: (socket: object) => void) => listeners.push(listener) };
  boundConnections(server as never, { maxConnections: 10, maxConnectionsPerAddress: 2 }, createTestLog().log);
  const arrive = (remoteAddress: string) => {
    const closers: (() => void)[] = [];
    const socket = {
      remoteAddress,
      refused: false,
      destroy: () => (socket.refused = true),
      once: (_name: string, close: () => void) => closers.push(close),
    };
    listeners[0]?.(socket);
    return { refused: socket.refused, leave: () => closers[0]?.() };
  };
  return arrive;
}

test('an address other than loopback has its own limit, shared by its /64', () => {
  const arrive = openDoor();
  const first = arrive('2001:db8::1');
  const others = ['2001:db8::2', '2001:db8::3', '192.0.2.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'].map(arrive);
  expect([first, ...others].map(({ refused }) => refused)).toEqual([false, false, true, false, false, false, false]);
  first.leave();
  expect(arrive('2001:db8::4').refused).toBe(false);
});

test('all addresses together have a limit too', () => {
  const arrive = openDoor();
  const all = Array.from({ length: 12 }, (_, index) => arrive(`192.0.2.${index}`));
  expect(all.map(({ refused }) => refused)).toEqual([...Array(10).fill(false), true, true]);
  all[0]?.leave();
  expect([arrive('192.0.2.20'), arrive('192.0.2.21')].map(({ refused }) => refused)).toEqual([false, true]);
});

test('few descriptors are divided, so that encoders and files keep their share', () => {
  const all = { ingest: defaultIngestBounds, http: defaultHttpBounds };
  expect(fitToDescriptors(all, 20_000)).toEqual(all);
  expect(fitToDescriptors(all, Number.POSITIVE_INFINITY)).toEqual(all);
  const few = fitToDescriptors(all, 512);
  expect([few.ingest.maxConnections, few.http.maxConnections, few.http.maxConnectionsPerAddress]).toEqual([64, 128, 32]);
});
