import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { mediaBlocks } from '../media/media-blocks.ts';
import { sendMedia } from './send-media.ts';

const partBytes = 2 ** 20;

/** Far more than a connection buffers. */
const takeParts = (fill: (index: number) => string) =>
  Array.from({ length: 32 }, (_, index) => mediaBlocks.take(partBytes).fill(fill(index)));

/** A server of one segment, and a player that does not read on. `gone` is when the server is done with the answer. */
async function startSlowPlayer(parts: readonly Buffer[]) {
  const app = fastify({ forceCloseConnections: true });
  const gone = Promise.withResolvers<void>();
  app.get('/', (request, reply) => {
    reply.raw.once('close', () => gone.resolve());
    return sendMedia(request, reply, { buffers: parts, etag: '"1"', type: 'video/mp4' });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const request: ClientRequest = get({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, request, gone: gone.promise };
}

test('a slow player gets the media it asked for, though that has left memory meanwhile', async () => {
  const parts = takeParts((index) => String.fromCharCode(65 + index));
  const expected = Buffer.concat(parts);
  const { response, gone } = await startSlowPlayer(parts);
  mediaBlocks.giveBack(parts);
  takeParts(() => '?');
  const received: Buffer[] = [];
  for await (const bytes of response) received.push(bytes as Buffer);
  expect(Buffer.concat(received).equals(expected)).toBe(true);
  await gone;
  const buffers = new Set(parts.map(({ buffer }) => buffer));
  expect(buffers).toContain(mediaBlocks.take(partBytes).buffer);
});

test('a player that leaves in the middle keeps no memory', async () => {
  const parts = takeParts(() => 'a');
  const { request, gone } = await startSlowPlayer(parts);
  mediaBlocks.giveBack(parts);
  request.on('error', () => {}).destroy();
  await gone;
  const buffers = new Set(parts.map(({ buffer }) => buffer));
  expect(buffers).toContain(mediaBlocks.take(partBytes).buffer);
});
