import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { get as getEncrypted } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestLog } from '../../../test/support/store-stand.ts';
import { makeTlsFiles, tlsAuthority } from '../../../test/support/tls-fixtures.ts';
import { createHttpServer } from '../http/http-server.ts';
import { mediaBlocks } from '../media/media-blocks.ts';
import { countTakenBytes } from '../tls/tls-door.ts';
import { openTlsFiles } from '../tls/tls-files.ts';
import { sendFile, sendMedia } from './send-media.ts';

const { log } = createTestLog();
const protocols = ['HTTP', 'HTTPS'] as const;

const partBytes = 2 ** 20;

/** Parts with far more bytes than a connection buffers. */
const takeParts = (fill: (index: number) => string) =>
  Array.from({ length: 32 }, (_, index) => mediaBlocks.take(partBytes).fill(fill(index)));

async function openCertificate() {
  const { folder, paths } = makeTlsFiles();
  const files = await openTlsFiles(paths, { clock: { now: Date.now }, log });
  onTestFinished(async () => {
    await files.close();
    rmSync(folder, { recursive: true });
  });
  return files;
}

/**
 * A server of one segment, and a player that does not read on. `connection` is the server's end; `gone` is when the server is done
 * with the answer.
 */
async function startSlowPlayer(protocol: (typeof protocols)[number], parts: readonly Buffer[], headers = {}) {
  const app = createHttpServer({ log, tls: protocol === 'HTTPS' ? await openCertificate() : undefined });
  const gone = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<Socket>();
  app.get('/', (request, reply) => {
    asked.resolve(request.raw.socket);
    reply.raw.once('close', () => gone.resolve());
    return sendMedia(request, reply, { buffers: parts, etag: '"1"', type: 'video/mp4' });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, headers };
  const request = protocol === 'HTTP' ? get(address) : getEncrypted({ ...address, ca: tlsAuthority('first') });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, request, connection: await asked.promise, gone: gone.promise };
}

test.each(protocols)(
  'over %s, a slow player gets the media it asked for, though that has left memory meanwhile',
  async (protocol) => {
    const parts = takeParts((index) => String.fromCharCode(65 + index));
    const expected = Buffer.concat(parts);
    const { response, gone } = await startSlowPlayer(protocol, parts);
    mediaBlocks.giveBack(parts);
    takeParts(() => '?');
    const received: Buffer[] = [];
    for await (const bytes of response) received.push(bytes as Buffer);
    expect(Buffer.concat(received).equals(expected)).toBe(true);
    await gone;
    const buffers = new Set(parts.map(({ buffer }) => buffer));
    expect(buffers).toContain(mediaBlocks.take(partBytes).buffer);
  },
);

test.each(protocols)('over %s, a player that leaves in the middle keeps no memory', async (protocol) => {
  const parts = takeParts(() => 'a');
  const { request, gone } = await startSlowPlayer(protocol, parts);
  mediaBlocks.giveBack(parts);
  request.on('error', () => {}).destroy();
  await gone;
  const buffers = new Set(parts.map(({ buffer }) => buffer));
  expect(buffers).toContain(mediaBlocks.take(partBytes).buffer);
});

test('over HTTPS, little more is encrypted than a slow player takes', async () => {
  const parts = takeParts((index) => String.fromCharCode(65 + index));
  const { response, connection } = await startSlowPlayer('HTTPS', parts, { range: 'bytes=1-33000000' });
  let taken: number | undefined;
  await expect
    .poll(() => {
      const before = taken;
      taken = countTakenBytes(connection);
      return taken === before;
    })
    .toBe(true);
  expect(connection.bytesWritten - (taken ?? 0)).toBeLessThan(2 ** 17);
  expect(response.statusCode).toBe(206);
  expect((await buffer(response)).equals(Buffer.concat(parts).subarray(1, 33_000_001))).toBe(true);
});

/** A server of one segment on disk, and a player that asks for it behind a request that waits for `answer`. `reads` are the segment's. */
async function askBehindAnother() {
  const folder = mkdtempSync(join(tmpdir(), 'tallylight-send-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, '1.m4s');
  await writeFile(path, 'segment');
  const file = await open(path);
  const reads = vi.spyOn(Object.getPrototypeOf(file), 'createReadStream');
  onTestFinished(() => reads.mockRestore());
  await file.close();

  const app = createHttpServer({ log });
  const waiting = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<void>();
  app.get('/waiting', () => waiting.promise);
  app.get('/1.m4s', (request, reply) => sendFile(request, reply, { path, sizeBytes: 7, etag: '"1"', type: 'video/mp4' }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const player = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const asked = Promise.withResolvers<void>();
  app.server.on('request', ({ socket, url }) => {
    if (url !== '/1.m4s') return;
    socket.once('close', () => ended.resolve());
    asked.resolve();
  });
  player.write('GET /waiting HTTP/1.1\r\nHost: x\r\n\r\nGET /1.m4s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await asked.promise;
  // Wait as long as opening it would take.
  for (let turn = 0; turn < 10; turn += 1) await open(path).then((opened) => opened.close());
  return { player, answer: () => waiting.resolve('waited'), reads, ended: ended.promise };
}

test('a segment on disk is opened in its turn, behind the answers before it', async () => {
  const { player, answer, reads } = await askBehindAnother();
  expect(reads.mock.calls).toHaveLength(0);
  answer();
  expect(await text(player)).toMatch(/waited.*segment$/s);
  // Closing a file takes a turn of its own, which may end after the connection's.
  await expect.poll(() => reads.mock.results.map(({ value }) => value.closed)).toEqual([true]);
});

test('a segment on disk is not opened for a player that left before its turn', async () => {
  const { player, answer, reads, ended } = await askBehindAnother();
  player.destroy();
  await ended;
  answer();
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(reads.mock.calls).toHaveLength(0);
});
