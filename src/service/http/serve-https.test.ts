import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sendRequest } from '../../../test/support/http-request.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { makeTlsFiles, tlsAuthority } from '../../../test/support/tls-fixtures.ts';
import { defaultHttpBounds, type HttpBounds } from '../config.ts';
import { openTlsFiles, type TlsFiles } from '../tls/tls-files.ts';
import { createHttpServer } from './http-server.ts';
import { serveUpgrades } from './upgrades.ts';

const { log } = createTestLog();
let disk: ReturnType<typeof makeTlsFiles>;
let files: TlsFiles;
let app: ReturnType<typeof createHttpServer>;
let port: number;
beforeEach(async () => {
  disk = makeTlsFiles();
  files = await openTlsFiles(disk.paths, { clock: { now: Date.now }, log, checkMs: 5 });
  app = createHttpServer({ log, tls: files });
  app.get('/hello', (request, reply) => reply.send(`hello by ${request.socket.constructor.name}`));
  app.post('/length', (request, reply) => reply.send(String(JSON.stringify(request.body).length)));
  port = await listen(app);
});
afterEach(async () => {
  await app.close();
  await files.close();
  rmSync(disk.folder, { recursive: true });
});

async function listen(server: typeof app): Promise<number> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  return (server.server.address() as AddressInfo).port;
}

/** A server of its own, with short bounds that a busy computer would exceed in the other tests. */
const createBounded = (bounds: Partial<HttpBounds>) =>
  createHttpServer({ log, bounds: { ...defaultHttpBounds, ...bounds }, tls: files });

/** Sends a POST whose JSON body arrives in two pieces. */
async function postInPieces(socket: ReturnType<typeof connect>) {
  const body = JSON.stringify('x'.repeat(100_000));
  socket.write(
    `POST /length HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.slice(0, 10));
  await new Promise(setImmediate);
  socket.write(body.slice(10));
  return (await text(socket)).split('\r\n\r\n')[1];
}

const handshake = async (pair: 'first' | 'renewed') => {
  const socket = connectTls({ port, host: '127.0.0.1', ca: tlsAuthority(pair) });
  await once(socket, 'secureConnect');
  return socket;
};

test('one port answers HTTPS, and HTTP from this computer', async () => {
  expect(await sendRequest(`https://127.0.0.1:${port}/hello`, { ca: tlsAuthority('first') })).toMatchObject({
    status: 200,
    body: 'hello by TLSSocket',
  });
  expect(await sendRequest(`http://127.0.0.1:${port}/hello`)).toMatchObject({ status: 200, body: 'hello by Socket' });
  expect(await postInPieces(await handshake('first'))).toBe('100002');
  expect(await postInPieces(connect(port, '127.0.0.1'))).toBe('100002');
});

test('a client that trusts another certificate does not connect, and TLS 1.1 is refused', async () => {
  await expect(sendRequest(`https://127.0.0.1:${port}/hello`, { ca: tlsAuthority('renewed') })).rejects.toThrow(/certificate/);
  const old = connectTls({ port, host: '127.0.0.1', ca: tlsAuthority('first'), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
  await expect(once(old, 'secureConnect')).rejects.toThrow();
});

test.each([
  [
    'a page or playlist is sent on',
    { method: 'GET', url: '/hls/x/index.m3u8?_HLS_msn=4' },
    308,
    'https://studio.lan:4600/hls/x/index.m3u8?_HLS_msn=4',
  ],
  [
    'a call with an API key is refused',
    { method: 'GET', url: '/hello', headers: { authorization: 'Bearer x' } },
    403,
    undefined,
  ],
  ['an address with a one-time token is refused', { method: 'GET', url: '/?token=x' }, 403, undefined],
  ['a change is refused', { method: 'POST', url: '/length', payload: {} }, 403, undefined],
  ['a forged host is refused', { method: 'GET', url: '/hello', headers: { host: 'studio.lan@evil.example' } }, 403, undefined],
] as const)('unencrypted from another computer, %s', async (_name, sent, status, location) => {
  const answer = await app.inject({
    ...sent,
    headers: { host: 'studio.lan:4600', ...('headers' in sent && sent.headers) },
    remoteAddress: '192.0.2.7',
  });
  expect([answer.statusCode, answer.headers.location]).toEqual([status, location]);
  // Browsers keep a 308 otherwise, even after the certificate is gone.
  expect(answer.headers['cache-control']).toBe('no-store');
  if (status === 403) expect(answer.json()).toEqual({ errors: ['Use https:// instead of http:// in the address.'] });
});

test('unencrypted from another computer, no WebSocket opens', async () => {
  const opened: unknown[] = [];
  serveUpgrades(app.server, '/contract', (request) => void opened.push(request.socket.remoteAddress));
  const connect = (remoteAddress: string) => {
    const connection = Object.assign(new PassThrough(), { remoteAddress });
    app.server.emit(
      'upgrade',
      { url: '/contract', rawHeaders: ['Host', 'x'], socket: connection },
      connection,
      Buffer.alloc(0),
    );
    return connection;
  };
  const answer = await text(connect('192.0.2.7'));
  expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 403 Forbidden');
  expect(answer.split('\r\n\r\n')[1]).toBe('Use https:// instead of http:// in the address.\n');
  connect('127.0.0.1');
  expect(opened).toEqual(['127.0.0.1']);
});

test.each([
  ['GET', '/hls/show/index.m3u8', 308, '*'],
  ['POST', '/hls/show/index.m3u8', 403, '*'],
  ['GET', '/hello', 308, undefined],
] as const)(
  'unencrypted from another computer, pages of any origin may read only what is open to them: %s %s',
  async (method, url, status, origin) => {
    app.openPrefixes.add('/hls');
    const answer = await app.inject({ method, url, headers: { host: 'studio.lan:4600' }, remoteAddress: '192.0.2.7' });
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, origin]);
  },
);

test('connections that send nothing, half a handshake or no TLS after its first byte are closed in time', async () => {
  await using hasty = createBounded({ headersTimeoutMs: 300 });
  const hastyPort = await listen(hasty);
  for (const bytes of ['', Buffer.from([0x16]), Buffer.concat([Buffer.from([0x16]), Buffer.alloc(1000, 0xff)])]) {
    const socket = connect(hastyPort, '127.0.0.1');
    socket.on('error', () => {});
    if (bytes.length > 0) socket.write(bytes);
    socket.resume();
    await once(socket, 'close');
  }
});

test('closing does not wait for connections without a handshake, nor for established ones', async () => {
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1');
  half.write(Buffer.from([0x16, 3, 1]));
  const established = await handshake('first');
  await expect.poll(countConnections).toBe(3);
  const closed = [silent, half, established].map((socket) => {
    socket.on('error', () => {});
    return once(socket.resume(), 'close');
  });
  await app.close();
  await Promise.all(closed);
});

const countConnections = () =>
  new Promise<number>((resolve) => {
    app.server.getConnections((_error, count) => resolve(count));
  });

test('new connections get a renewed certificate, and established ones continue', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: tlsAuthority('first') });
  const ask = async () => {
    const sent = request(`https://127.0.0.1:${port}/hello`, { agent }).end();
    const [answer] = await once(sent, 'response');
    return { body: await text(answer), socket: sent.socket as TLSSocket };
  };
  const before = await ask();
  disk.renewCertificate('renewed');
  disk.renewKey('renewed');
  await soon(() => expect(files.pair.certificate.equals(tlsAuthority('renewed'))).toBe(true));
  const after = await ask();
  expect(after.socket).toBe(before.socket);
  expect(after.body).toBe('hello by TLSSocket');
  agent.destroy();
  (await handshake('renewed')).destroy();
});

/** More than loopback sockets can buffer. */
const longBody = Buffer.alloc(48 * 1024 * 1024, 'x');

/** For a slow reader. This process also reads, and may hang for two seconds on a busy computer. */
const slowWriteTimeoutMs = 2_400;

/** Asks a server of its own, whose clients must read something in this time, for a long answer. */
async function askForLong(writeTimeoutMs: number) {
  const server = createBounded({ writeTimeoutMs });
  server.get('/long', (_request, reply) => reply.send(longBody));
  const socket = connectTls({ port: await listen(server), host: '127.0.0.1', ca: tlsAuthority('first') });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write('GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return { socket, server, [Symbol.asyncDispose]: () => server.close() };
}

test('over TLS, too, a slow reader gets the complete answer', async () => {
  await using asked = await askForLong(slowWriteTimeoutMs);
  const startedAt = performance.now();
  let read = 0;
  let nextPauseAt = 0;
  for await (const bytes of asked.socket) {
    read += (bytes as Buffer).length;
    if (read < nextPauseAt) continue;
    nextPauseAt = read + longBody.length / 16;
    await sleep(slowWriteTimeoutMs / 4);
  }
  expect(read).toBeGreaterThan(longBody.length);
  expect(performance.now() - startedAt).toBeGreaterThan(3 * slowWriteTimeoutMs);
});

test('over TLS, too, a client that does not read is disconnected', async () => {
  await using asked = await askForLong(1_000);
  asked.socket.pause();
  const { server } = asked.server;
  const countOpen = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  expect(await countOpen()).toBe(1);
  await expect.poll(countOpen).toBe(0);
});
