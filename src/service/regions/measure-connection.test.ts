import { createServer, type LookupFunction, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { startDeadAddress } from '../../../test/support/dead-address.ts';
import { listenOnLoopback } from '../../../test/support/loopback-server.ts';
import { listOnly } from '../../../test/support/own-network.ts';
import { soon } from '../../../test/support/soon.ts';
import { measureConnection, pickMedian } from './measure-connection.ts';

const never = new AbortController().signal;

async function startCountingServer() {
  const sockets = new Set<Socket>();
  let count = 0;
  let closed = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      closed += 1;
    });
    socket.resume();
  });
  const { port, [Symbol.asyncDispose]: close } = await listenOnLoopback(server, sockets);
  return { port, counts: () => ({ count, closed }), [Symbol.asyncDispose]: close };
}

test('five connections are timed, sent nothing, and closed', async () => {
  await using server = await startCountingServer();
  const result = await measureConnection(`rtmp://127.0.0.1:${server.port}/live`, { limitMs: 5_000, signal: never });
  expect(result).toEqual({ ms: expect.any(Number) });
  await soon(() => expect(server.counts()).toEqual({ count: 5, closed: 5 }));
});

test('looking up the name takes no time', async () => {
  await using server = await startCountingServer();
  const slowLookup: LookupFunction = (_name, _options, callback) => {
    setTimeout(() => callback(null, [{ address: '127.0.0.1', family: 4 }]), 400);
  };
  const url = `rtmps://sin-rtmp.example.com:${server.port}/live`;
  const startedMs = performance.now();
  const result = await measureConnection(url, { limitMs: 5_000, lookup: slowLookup, signal: never });
  const ms = 'ms' in result ? result.ms : Number.NaN;
  // The 400 ms don't count, however busy this computer is.
  expect(ms).toBeLessThanOrEqual(performance.now() - startedMs - 399);
});

test('an address that never answers takes no time if the next one answers', async () => {
  await using server = await startCountingServer();
  await using _dead = await startDeadAddress('127.0.0.4', server.port);
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(
      null,
      ['127.0.0.4', '127.0.0.1'].map((address) => ({ address, family: 4 })),
    );
  const url = `rtmp://sin-rtmp.example.com:${server.port}/live`;
  const startedMs = performance.now();
  const result = await measureConnection(url, { limitMs: 5_000, lookup, signal: never });
  const ms = 'ms' in result ? result.ms : Number.NaN;
  // The 250 ms before its turn don't count.
  expect(ms).toBeLessThanOrEqual(performance.now() - startedMs - 249);
});

test.each([
  ['https://example.com/live', { code: 'wrong-address' }],
  ['rtmp://127.0.0.1:1/live', { code: 'connection-refused', address: '127.0.0.1:1' }],
  ['rtmp://[::1]:1/live', { code: 'connection-refused', address: '[::1]:1' }],
])('%s fails with a reason', async (url, failure) => {
  expect(await measureConnection(url, { limitMs: 5_000, signal: never })).toEqual({ failure });
});

test('a name that does not exist is an outcome of its own', async () => {
  listOnly('192.0.2.1');
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), '', 0);
  expect(await measureConnection('rtmp://nowhere.example.com/live', { limitMs: 5_000, lookup, signal: never })).toEqual({
    failure: { code: 'name-not-found', host: 'nowhere.example.com' },
  });
});

test('an address that never answers fails at the limit, and aborting ends it before', async () => {
  const gone = await startCountingServer();
  await gone[Symbol.asyncDispose]();
  await using _dead = await startDeadAddress('127.0.0.4', gone.port);
  const url = `rtmp://127.0.0.4:${gone.port}/live`;
  expect(await measureConnection(url, { limitMs: 100, signal: never })).toEqual({
    failure: { code: 'timed-out', during: 'connect', afterMs: 100 },
  });
  const abort = new AbortController();
  const result = measureConnection(url, { limitMs: 3_600_000, signal: abort.signal });
  abort.abort();
  expect(await result).toHaveProperty('failure');
});

test('the median counts failures as longer than any time', () => {
  const refused = { failure: { code: 'connection-refused', address: 'a:1' } } as const;
  const broken = { failure: { code: 'closed', during: 'connect' } } as const;
  const times = (...ms: number[]) => ms.map((each) => ({ ms: each }));
  expect(pickMedian(times(9, 1, 100, 8, 2))).toEqual({ ms: 8 });
  expect(pickMedian([...times(9, 1, 100), refused, broken])).toEqual({ ms: 100 });
  expect(pickMedian([...times(9, 1), refused, broken, refused])).toEqual(refused);
});
