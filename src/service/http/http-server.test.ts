import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDiskFault } from '../../../test/support/disk-fault.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { ServiceError } from '../../shared/errors.ts';
import { addHealthRoute } from './health-route.ts';
import { createHttpServer } from './http-server.ts';
import { refuseUpgrade, serveUpgrades } from './upgrades.ts';

let app: ReturnType<typeof createHttpServer>;
const { log, lines } = createTestLog();
beforeEach(() => {
  app = createHttpServer({ log });
});
afterEach(() => app.close());

async function listen(): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('data that is not HTTP is answered with our own 400, and the connection is closed', async () => {
  const socket = connect(await listen(), '127.0.0.1');
  socket.end('C1 handshake\r\n\r\n');
  const answer = await text(socket);
  expect(answer.split('\r\n\r\n')).toEqual([
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 45',
    '{"errors":["The request is not valid HTTP."]}',
  ]);
});

test('closes although a client keeps its connection open in the middle of a body', async () => {
  app.post('/slow', (_request, reply) => reply.send());
  const socket = connect(await listen(), '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const connected = new Promise((resolve) => app.server.once('connection', resolve));
  socket.on('error', () => {});
  socket.write('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  await connected;
  await app.close();
  await closed;
});

test.each([
  ['connect', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ['upgrade', 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
])('closes although a client whose request to %s is refused reads nothing', async (event, refused) => {
  // More than loopback sockets can buffer.
  app.get('/long', (_request, reply) => reply.send(Buffer.alloc(48 * 1024 * 1024)));
  serveUpgrades(app.server, '/contract', () => {});
  const socket = connect(await listen(), '127.0.0.1').pause();
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const asked = new Promise((resolve) => app.server.once(event, resolve));
  socket.on('error', () => {});
  socket.write(`GET /long HTTP/1.1\r\nHost: x\r\n\r\n${refused}`);
  await asked;
  await app.close();
  socket.resume();
  await closed;
});

test('a connection that could not be accepted is logged, and the next one is answered', async () => {
  const port = await listen();
  const before = lines.length;
  app.server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }));
  expect(lines.slice(before).map(({ msg }) => msg)).toEqual(['The HTTP server could not accept a connection.']);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
});

test('an unknown expectation is ignored: the request is answered like any other (RFC 9110 §10.1.1)', async () => {
  const socket = connect(await listen(), '127.0.0.1');
  socket.end('GET /nothing HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  expect(answer.split('\r\n\r\n')[1]).toBe('{"errors":["There is nothing at this path."]}');
});

test('a request without a host is refused in our words, unless HTTP 1.0 allows it (RFC 9112 §3.2)', async () => {
  addHealthRoute(app, { store: { findProblem: async () => undefined }, doors: [] });
  const port = await listen();
  const ask = async (version: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET /healthz HTTP/${version}\r\nConnection: close\r\n\r\n`);
    const [head = '', body] = (await text(socket)).split('\r\n\r\n');
    return [head.split('\r\n')[0], body];
  };
  expect(await ask('1.1')).toEqual(['HTTP/1.1 400 Bad Request', '{"errors":["The request has no Host header."]}']);
  expect(await ask('1.0')).toEqual(['HTTP/1.1 200 OK', '{"status":"ok"}']);
});

test("only a header's name makes it a host, not its value", async () => {
  addHealthRoute(app, { store: { findProblem: async () => undefined }, doors: [] });
  const socket = connect(await listen(), '127.0.0.1');
  socket.end('GET /healthz HTTP/1.1\r\nHost: one.example.com\r\nConnection: close\r\nX-Signed-Headers: host\r\n\r\n');
  const [head = '', body] = (await text(socket)).split('\r\n\r\n');
  expect([head.split('\r\n')[0], body]).toEqual(['HTTP/1.1 200 OK', '{"status":"ok"}']);
});

const askTwice = 'GET /healthz HTTP/1.1\r\nHost: one.example.com\r\nhost: two.example.com\r\n';

test.each([
  ['Connection: close', ''],
  ['Connection: Upgrade', 'Upgrade: websocket\r\n'],
])(
  'a request with two hosts is refused, since a proxy in front may have followed the other one (RFC 9112 §3.2): %s',
  async (connection, upgrade) => {
    addHealthRoute(app, { store: { findProblem: async () => undefined }, doors: [] });
    serveUpgrades(app.server, '/healthz', (_request, upgraded) => refuseUpgrade(upgraded, 403, 'Upgraded.'));
    const socket = connect(await listen(), '127.0.0.1');
    socket.end(`${askTwice}${connection}\r\n${upgrade}\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect([head.split('\r\n')[0], body]).toEqual([
      'HTTP/1.1 400 Bad Request',
      expect.stringContaining('The request has more than one Host header.'),
    ]);
  },
);

test('a server upgrades at each of its paths, whatever the query and the case of the protocol, until that path is ended', async () => {
  const answer = (sentence: string) => (_request: unknown, connection: Duplex) => refuseUpgrade(connection, 403, sentence);
  const ends = ['/one', '/two'].map((path) => serveUpgrades(app.server, path, answer(path)));
  const port = await listen();
  const ask = async (target: string, protocol: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    const [head = '', body] = (await text(socket)).split('\r\n\r\n');
    return [head.split('\r\n')[0], body];
  };
  const one = ['HTTP/1.1 403 Forbidden', '/one\n'];
  const two = ['HTTP/1.1 403 Forbidden', '/two\n'];
  expect(await ask('/one?a=1?b=2', 'WebSocket')).toEqual(one);
  expect(await ask('/two', 'websocket')).toEqual(two);
  ends[0]?.();
  expect(await ask('/one', 'websocket')).toEqual(['HTTP/1.1 404 Not Found', 'There is nothing at this path.\n']);
  expect(await ask('/two', 'websocket')).toEqual(two);
});

test('a request for a tunnel is refused with an answer', async () => {
  const socket = connect(await listen(), '127.0.0.1');
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  expect((await text(socket)).split('\r\n\r\n')).toEqual([
    [
      'HTTP/1.1 501 Not Implemented',
      'Connection: close',
      'Content-Type: text/plain; charset=utf-8',
      'X-Content-Type-Options: nosniff',
      'Content-Length: 40',
    ].join('\r\n'),
    'This is not a proxy: it has no tunnels.\n',
  ]);
});

test.each([
  ['GET /nothing#%zz', '404 Not Found'],
  ['POST /healthz#%zz', '405 Method Not Allowed'],
  ['POST http://x/healthz?a=%zz', '405 Method Not Allowed'],
  ['GET http://x/healthz', '200 OK'],
])('%s is answered with %s', async (line, status) => {
  addHealthRoute(app, { store: { findProblem: async () => undefined }, doors: [] });
  const socket = connect(await listen(), '127.0.0.1');
  socket.end(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect((await text(socket)).split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
});

test('where pages of any origin may read answers, they may read those to malformed paths, too', async () => {
  app.openPrefixes.add('/hls');
  expect((await app.inject('/hls/%zz')).headers).toMatchObject({ 'access-control-allow-origin': '*' });
  expect((await app.inject('/api/%zz')).headers).not.toHaveProperty('access-control-allow-origin');
});

test('a path with parameters and wildcards finds its route', async () => {
  app.get('/hls/:playbackId/:name.m4s', (_request, reply) => reply.send('segment'));
  app.get('/files/*', (_request, reply) => reply.send('file'));
  const allow = async (url: string) => (await app.inject({ method: 'POST', url })).headers.allow;
  expect(await allow('/hls/abc/5.m4s')).toBe('GET, HEAD');
  expect(await allow('/hls/abc/5xm4s')).toBeUndefined();
  expect(await allow('/hls/abc')).toBeUndefined();
  expect(await allow('/files/a/b/c')).toBe('GET, HEAD');
});

test('a catch-all page does not hide unknown paths', async () => {
  app.get('/*', (_request, reply) => reply.callNotFound());
  expect(await app.inject('/nothing')).toMatchObject({
    statusCode: 404,
    body: '{"errors":["There is nothing at this path."]}',
  });
  expect((await app.inject({ method: 'POST', url: '/nothing' })).statusCode).toBe(404);
});

test('neither the log nor the answer to an internal error has request secrets', async () => {
  lines.length = 0;
  app.get('/fault', () => {
    throw new Error('a bug');
  });
  app.get('/known', () => {
    throw new ServiceError('UNAVAILABLE', 'Not now.');
  });
  const { statusCode, body } = await app.inject({ url: '/fault?token=secret', headers: { authorization: 'Bearer secret' } });
  expect(statusCode).toBe(500);
  expect(body).toMatch(/^\{"errors":\["Something went wrong in Tallylight\. See error id [0-9a-f-]{36} in its log\."\]\}$/);
  expect(lines).toEqual([expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'a bug' }) })]);
  expect(JSON.stringify(lines)).not.toContain('secret');
  expect(await app.inject('/known')).toMatchObject({ statusCode: 503, body: '{"errors":["Not now."]}' });
});

test('while the store cannot be read, requests leave few lines in the log, and each is answered with 503', async () => {
  lines.length = 0;
  app.get('/hls/:playbackId', () => {
    throw makeDiskFault();
  });
  for (let count = 0; count < 200; count += 1) {
    expect(await app.inject(`/hls/${count}`)).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '1' },
      body: '{"errors":["The store cannot be used: its disk failed to read or write."]}',
    });
  }
  expect(lines[0]).toMatchObject({ level: 50, err: { message: 'disk I/O error' } });
  expect(lines.length).toBeLessThanOrEqual(50);
});

test('GET /healthz is 200 if everything works, else 503 with the problems, without a key', async () => {
  let isBroken = false;
  addHealthRoute(app, {
    store: { findProblem: async () => (isBroken ? { fault: { code: 'missing' }, waiting: 2 } : undefined) },
    doors: [{ findProblem: () => (isBroken ? 'RTMP has stopped.' : undefined) }],
  });
  expect(await app.inject('/healthz')).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
  isBroken = true;
  expect(await app.inject('/healthz')).toMatchObject({
    statusCode: 503,
    headers: { 'retry-after': '1' },
    body: '{"errors":["The store is missing. Put it back, or restart Tallylight. 2 changes wait in memory.","RTMP has stopped."]}',
  });
  isBroken = false;
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('at debug level every request is logged by its route, without its URL', async () => {
  const { log: debugLog, lines: debugLines } = createTestLog('debug');
  await using server = createHttpServer({ log: debugLog });
  server.get('/hls/:playbackId', (_request, reply) => reply.send('playlist'));
  await server.inject('/hls/abc?token=secret');
  await server.inject('/nothing?token=secret');
  expect(debugLines).toMatchObject([
    { level: 20, method: 'GET', route: '/hls/:playbackId', status: 200, elapsedMs: expect.any(Number), ip: '127.0.0.1' },
    { level: 20, method: 'GET', status: 404 },
  ]);
  expect(JSON.stringify(debugLines)).not.toMatch(/abc|nothing|secret/);
});
