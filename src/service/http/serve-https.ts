import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import type { HttpBounds } from '../config.ts';
import { openTlsDoor } from '../tls/tls-door.ts';
import type { TlsFiles } from '../tls/tls-files.ts';
import { findAskedHost } from './asked-origin.ts';
import { openAnswer } from './open-answer.ts';
import { lacksTls, requireTls, tlsRequired } from './tls-required.ts';

/**
 * Answers HTTPS on the port of `app`, besides HTTP from this computer, which needs no certificate for its own address.
 *
 * A reading request that comes unencrypted from another computer is sent on to `https:`; any other is refused, so that an API key or a
 * one-time token that is sent in the clear is noticed. WebSockets are refused, too.
 */
export function serveHttps(app: FastifyInstance, files: TlsFiles, { headersTimeoutMs }: Pick<HttpBounds, 'headersTimeoutMs'>) {
  const { server } = app;
  requireTls(server);
  const serve = takeConnectionListener(server);
  const door = openTlsDoor({
    files,
    handshakeTimeoutMs: headersTimeoutMs,
    protocols: ['http/1.1'],
    allowHalfOpen: true,
    onPlain: serve,
    onSecure: serve,
  });
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) door.take(socket);
  });
  app.addHook('preClose', async () => door.closeWaiting());
  app.addHook('onRequest', (request, reply, done) => {
    if (!lacksTls(server, request.socket)) {
      done();
      return;
    }
    openAnswer(request, reply);
    const url = findEncryptedUrl(request);
    if (url === undefined) throw new ServiceError('TLS_REQUIRED', tlsRequired);
    // Browsers would keep it, even after the certificate is gone (RFC 9110 §15.4.9).
    reply.header('cache-control', 'no-store').redirect(url, 308);
  });
}

/** Node's own listener, which serves a connection. Those added later only count connections. */
function takeConnectionListener(server: Server): (socket: Socket) => void {
  const [listener] = server.listeners('connection') as ((socket: Socket) => void)[];
  if (listener === undefined) throw new Error('The HTTP server has no listener for connections.');
  server.off('connection', listener);
  return listener.bind(server);
}

function findEncryptedUrl({ method, url, headers, query }: FastifyRequest): string | undefined {
  const isReading = method === 'GET' || method === 'HEAD';
  const hasSecret = headers.authorization !== undefined || (query as { token?: unknown }).token !== undefined;
  const host = findAskedHost(headers.host);
  return isReading && !hasSecret && host !== undefined && url.startsWith('/') ? `https://${host}${url}` : undefined;
}
