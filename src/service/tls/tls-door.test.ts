import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { tlsAuthority, tlsPaths } from '../../../test/support/tls-fixtures.ts';
import { openTlsDoor } from './tls-door.ts';
import { openTlsFiles } from './tls-files.ts';

/** A door that waits for a minute, its port, and the first connection through it: encrypted, and the TCP connection underneath. */
async function openDoor() {
  const carrier = Promise.withResolvers<Socket & { _handle: { writeQueueSize: number } }>();
  const secure = Promise.withResolvers<TLSSocket>();
  const files = await openTlsFiles(tlsPaths('first'), { clock: { now: Date.now }, log: createTestLog().log });
  const door = openTlsDoor({
    files,
    handshakeTimeoutMs: 60_000,
    allowHalfOpen: true,
    onPlain: (socket) => socket.destroy(),
    onSecure: secure.resolve,
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    carrier.resolve(socket as Awaited<typeof carrier.promise>);
    door.take(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    door.closeWaiting();
    server.close();
    await files.close();
  });
  const { port } = server.address() as AddressInfo;
  return { door, port, carrier: carrier.promise, secure: secure.promise };
}

test('what a client does not read is hardly encrypted ahead, and arrives whole once it reads', async () => {
  const { port, ...opened } = await openDoor();
  const client = connectTls({ port, host: '127.0.0.1', ca: tlsAuthority('first') });
  onTestFinished(() => void client.destroy());
  const [carrier, secure] = [await opened.carrier, await opened.secure];
  // The first is written alone, the others together.
  const chunks = [randomBytes(200_000), 'ä'.repeat(50_000), randomBytes(1), randomBytes(32 * 1024 * 1024)];
  for (const chunk of chunks) secure.write(chunk);
  secure.end();
  await soon(() => expect(carrier._handle.writeQueueSize).toBeGreaterThan(0));
  expect(carrier._handle.writeQueueSize).toBeLessThan(2 * 64 * 1024);
  const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  expect((await buffer(client)).equals(whole)).toBe(true);
});

test.each([
  { begun: 'nothing', bytes: [], leave: 'end' },
  { begun: 'nothing', bytes: [], leave: 'resetAndDestroy' },
  { begun: 'half a handshake', bytes: [0x16, 3, 1], leave: 'resetAndDestroy' },
] as const)('a client that leaves after $begun does not wait any more ($leave)', async ({ bytes, leave }) => {
  const { door, port, carrier } = await openDoor();
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  onTestFinished(() => void client.destroy());
  client.write(Buffer.from(bytes));
  const socket = await carrier;
  expect(door.waiting).toEqual([socket]);
  await soon(() => expect(socket.bytesRead).toBe(bytes.length));
  client[leave]();
  await soon(() => expect(door.waiting).toEqual([]));
  expect(socket.destroyed).toBe(true);
});
