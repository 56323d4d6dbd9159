import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { answerParent } from './answer.ts';

/** Fastify as it comes, with handlers that do nothing: the most that any service on it can answer. */
answerParent(async ({ segmentBytes }: { segmentBytes: number }) => {
  const app = fastify();
  // Written to: memory that never was is one page of zeros to the system, and cheaper to send than any media.
  const segment = randomBytes(segmentBytes);
  app.get('/api/stream/:id', (_request, reply) => void reply.send());
  app.post('/api/stream', (_request, reply) => void reply.send());
  app.get('/hls/:playbackId/:rendition/:name', (_request, reply) => void reply.send(segment));
  await app.listen({ host: '127.0.0.1', port: 0 });
  if (!app.server.listening) await once(app.server, 'listening');
  return { port: (app.server.address() as AddressInfo).port };
});
