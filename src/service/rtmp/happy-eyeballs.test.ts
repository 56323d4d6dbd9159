import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDeadAddress } from '../../../test/support/dead-address.ts';
import { startIngestStand } from '../../../test/support/ingest-stand.ts';
import { listOnly } from '../../../test/support/own-network.ts';
import { findQuietPort } from '../../../test/support/quiet-port.ts';
import { startStagedServer } from '../../../test/support/staged-server.ts';
import { waitForSlowAddresses } from '../lib/slow-addresses.ts';
import { openSocket } from '../publishing/open-socket.ts';
import { askRemote } from '../remote/remote-request.ts';
import { type RtmpPublisherOptions, startRtmpPublisher } from './rtmp-client.ts';

function publishTo(url: string, options: Partial<RtmpPublisherOptions> = {}) {
  return startRtmpPublisher({ url, streamKey: 'abcd-efgh-ijkl-mnop', signal: new AbortController().signal, ...options });
}

/** A name server that knows these addresses for any name. */
function answering(...addresses: string[]): { lookup: LookupFunction; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    lookup: (name, _, callback) => {
      asked.push(name);
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  };
}

const failingWith =
  (code: string): LookupFunction =>
  (_name, _options, callback) =>
    callback(Object.assign(new Error(`getaddrinfo ${code}`), { code }), '', 0);

test.each([
  // Nothing listens there, so the system refuses it at once.
  ['refuses', ['::1', '127.0.0.1']],
  ['refuses, in the same family', ['127.0.0.3', '127.0.0.1']],
])('an address that %s is passed over for the next one', async (_, addresses) => {
  await using stand = await startIngestStand();
  const { lookup, asked } = answering(...addresses);
  await using _publisher = await publishTo(`rtmp://live.example.com:${stand.server.port}/live`, { lookup });
  expect([asked, stand.askedKeys]).toEqual([['live.example.com'], ['abcd-efgh-ijkl-mnop']]);
});

test('an address that never answers is passed over for the next one', async () => {
  await using stand = await startIngestStand();
  await using _dead = await startDeadAddress('127.0.0.2', stand.server.port);
  const { lookup } = answering('127.0.0.2', '127.0.0.1');
  await using _publisher = await publishTo(`rtmp://live.example.com:${stand.server.port}/live`, { lookup });
  expect(stand.askedKeys).toEqual(['abcd-efgh-ijkl-mnop']);
});

/** Lets the dead 127.0.0.2 accept once a packet has asked it for a connection: that one was dropped, and the next comes a second later. */
function reviveOnceAsked(dead: Awaited<ReturnType<typeof startDeadAddress>>): void {
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address) => {
      // The event comes just before the packet is sent.
      if (address === '127.0.0.2') setImmediate(() => dead.revive());
    });
  };
  subscribe('net.client.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
}

test.each([
  ['before one that fails at once', ['127.0.0.2', '::1']],
  ['after one that fails at once', ['::1', '127.0.0.2']],
  ['before one that never answers', ['127.0.0.2', '127.0.0.3']],
])('a slow address %s is waited for', async (_, addresses) => {
  const port = await findQuietPort();
  await using dead = await startDeadAddress('127.0.0.2', port);
  await using _dead = await startDeadAddress('127.0.0.3', port);
  reviveOnceAsked(dead);
  const signal = AbortSignal.timeout(10_000);
  const socket = await openSocket('live.example.com', port, { ...answering(...addresses), signal });
  expect(socket.remoteAddress).toBe('127.0.0.2');
  socket.destroy();
});
test('a service whose address is slow is waited for if its other one fails at once', async () => {
  const port = await findQuietPort();
  await using dead = await startDeadAddress('127.0.0.2', port, { answer: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' });
  const { lookup } = answering('127.0.0.2', '::1');
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
  onTestFinished(() => spy.mockRestore());
  const url = new URL(`http://live.example.com:${port}/api/stream`);
  waitForSlowAddresses();
  reviveOnceAsked(dead);
  const { body } = await askRemote({ method: 'GET', url, apiKey: 'key', signal: new AbortController().signal });
  expect(body).toEqual({});
});

test('if no address answers, the attempt ends in time, and says that there was no connection', async () => {
  const stand = await startIngestStand();
  const { port } = stand.server;
  await stand[Symbol.asyncDispose]();
  await using _dead = await startDeadAddress('127.0.0.2', port);
  const attempt = publishTo(`rtmp://live.example.com:${port}/live`, { ...answering('127.0.0.2'), stepTimeoutMs: 100 });
  await expect(attempt).rejects.toMatchObject({ failure: { code: 'timed-out', during: 'connect', afterMs: 100 } });
});

test('if every address refuses, the error has the name and the port', async () => {
  const stand = await startIngestStand();
  const { port } = stand.server;
  await stand[Symbol.asyncDispose]();
  const attempt = publishTo(`rtmp://live.example.com:${port}/live`, answering('::1', '127.0.0.1'));
  await expect(attempt).rejects.toMatchObject({
    failure: { code: 'connection-refused', address: `live.example.com:${port}` },
  });
});

test.each([
  ['ENOTFOUND', 'name-not-found'],
  ['EAI_AGAIN', 'lookup-failed'],
])('a lookup that fails with %s is %s', async (errorCode, code) => {
  listOnly('192.0.2.1');
  const attempt = publishTo('rtmp://live.example.com/live', { lookup: failingWith(errorCode) });
  await expect(attempt).rejects.toMatchObject({ kind: 'unreachable', failure: { code, host: 'live.example.com' } });
});

test('a name that this broadcast has found before is not mistyped', async () => {
  listOnly('192.0.2.1');
  const attempt = publishTo('rtmp://live.example.com/live', { lookup: failingWith('ENOTFOUND'), wasAccepted: true });
  await expect(attempt).rejects.toMatchObject({ failure: { code: 'lookup-failed', host: 'live.example.com' } });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

test.runIf(hasIpv6)('an IPv6 address in the URL is connected to', async () => {
  await using server = await startStagedServer({ until: 'started', atLast: () => {}, host: '::1' });
  await using publisher = await publishTo(`rtmp://[::1]:${server.port}/live`, { closeGraceMs: 10 });
  expect(publisher.droppedFrames).toBe(0);
});
