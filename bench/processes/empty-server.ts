import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { answerParent } from './answer.ts';

/** Fastify with handlers that do nothing: the upper limit for any service built on it. */
answerParent(async ({ segmentBytes }: { segmentBytes: number }) => {
  const app = fastify();
  // Filled: untouched memory is a single zero page to the system, and cheaper to send than real media.
  const segment = randomBytes(segmentBytes);
  app.get('/api/stream/:id', (_request, reply) => void reply.send());
  app.post('/api/stream', (_request, reply) => void reply.send());
  app.get('/hls/:playbackId/:rendition/:name', (_request, reply) => void reply.send(segment));
  await app.listen({ host: '127.0.0.1', port: 0 });
  if (!app.server.listening) await once(app.server, 'listening');
  return { port: (app.server.address() as AddressInfo).port };
});
