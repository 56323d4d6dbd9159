import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { tlsAuthority, tlsPaths } from '../../../test/support/tls-fixtures.ts';
import { openTlsDoor } from './tls-door.ts';
import { openTlsFiles } from './tls-files.ts';

/** A client of a door, the door's side of its encrypted connection, and the TCP connection that carries it. */
async function openConnection() {
  const carried = Promise.withResolvers<Socket & { _handle: { writeQueueSize: number } }>();
  const secured = Promise.withResolvers<TLSSocket>();
  const files = await openTlsFiles(tlsPaths('first'), { clock: { now: Date.now }, log: createTestLog().log });
  const door = openTlsDoor({
    files,
    handshakeTimeoutMs: 60_000,
    allowHalfOpen: false,
    onPlain: (socket) => socket.destroy(),
    onSecure: secured.resolve,
  });
  const server = createServer((socket) => {
    carried.resolve(socket as Awaited<typeof carried.promise>);
    door.take(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ca: tlsAuthority('first') });
  onTestFinished(async () => {
    client.destroy();
    server.close();
    await files.close();
  });
  return { client, carrier: await carried.promise, secure: await secured.promise };
}

test('what a client does not read is hardly encrypted ahead, and arrives whole once it reads', async () => {
  const { client, carrier, secure } = await openConnection();
  // The first is written alone, the others together.
  const chunks = [randomBytes(200_000), 'ä'.repeat(50_000), randomBytes(1), randomBytes(32 * 1024 * 1024)];
  for (const chunk of chunks) secure.write(chunk);
  secure.end();
  await soon(() => expect(carrier._handle.writeQueueSize).toBeGreaterThan(0));
  expect(carrier._handle.writeQueueSize).toBeLessThan(2 * 64 * 1024);
  const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  expect((await buffer(client)).equals(whole)).toBe(true);
});
