import { lookup } from 'node:dns/promises';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { defaultHttpBounds, type HttpBounds } from '../config.ts';
import { watchAccepting } from '../lib/watch-accepting.ts';
import type { Logger } from '../ports.ts';
import type { TlsFiles } from '../tls/tls-files.ts';
import { findHostFault } from './asked-origin.ts';
import { answerClientError } from './client-error.ts';
import { boundConnections, boundPipelining } from './connection-bounds.ts';
import { createRequestLog, formatErrorAnswer, type RequestLog } from './error-answer.ts';
import { maxBodyBytes, readJsonBodies } from './json-body.ts';
import { type KnownPaths, watchRoutes } from './known-paths.ts';
import { openAnswer } from './open-answer.ts';
import { serveHttps } from './serve-https.ts';
import { endUnreadAnswers } from './unread-answers.ts';
import { refuseUpgrade } from './upgrades.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Path prefixes under which pages of any origin may read every answer, including those for malformed and unknown paths and methods. */
    readonly openPrefixes: Set<string>;
    /** Why no further connection is accepted, in a sentence; undefined while one is. */
    findProblem(): string | undefined;
  }
}

/** How often request timeouts are checked. */
const timeoutCheckMs = 500;

interface HttpServerOptions {
  log: Logger;
  bounds?: HttpBounds;
  /** With it, the port answers HTTPS too. */
  tls?: TlsFiles | undefined;
}

/**
 * Creates the HTTP server without routes; the public interface, playback and the UI add theirs.
 *
 * It accepts only JSON bodies, and answers every error with `{"errors": ["sentence", …]}`, unknown paths with 404, and wrong methods
 * with 405 and `Allow` (RFC 9110 §15.5.6). Requests are logged only at `debug` level, by route, since URLs may contain tokens.
 * `bounds` limits how many connections there are and how long they are kept.
 */
export function createHttpServer({ log, bounds = defaultHttpBounds, tls }: HttpServerOptions): FastifyInstance {
  const requestLog = createRequestLog(log);
  const app: FastifyInstance = fastify({
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // As the server's own logger it would create a child logger, and a listener, for every request.
    childLoggerFactory: () => log as FastifyBaseLogger,
    bodyLimit: maxBodyBytes,
    requestTimeout: bounds.requestTimeoutMs,
    // By default Node checks its timeouts only every 30 s.
    http: {
      headersTimeout: bounds.headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      // Node's own refusal has no body; ours is below.
      requireHostHeader: false,
    },
    // Players keep their connections open; closing the service must not wait for them.
    forceCloseConnections: true,
    // Fastify's own 503 has a different body, and a closing server refuses connections anyway.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      openAnswer(request, reply);
      sendError(error, reply, requestLog);
    },
    clientErrorHandler: answerClientError,
  });
  // By default Node answers any `Expect` but 100-continue with a bare 417; it may as well be ignored (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, answer) => app.server.emit('request', request, answer));
  // By default Node closes the connection without an answer.
  app.server.on('connect', (_request, connection) => refuseUpgrade(connection, 501, 'This is not a proxy: it has no tunnels.'));
  boundConnections(app.server, bounds, log);
  let findProblem: () => string | undefined = () => undefined;
  app.decorate('findProblem', () => findProblem());
  // Earlier errors are those of listen(), which rejects.
  app.server.once('listening', () => {
    findProblem = watchAccepting(app.server, { name: 'The HTTP server', log });
  });
  // Before all other hooks, which start with their request.
  boundPipelining(app, bounds);
  if (tls) serveHttps(app, tls, bounds);
  endUnreadAnswers(app.server, bounds);
  readJsonBodies(app);
  app.decorate('openPrefixes', new Set<string>());
  const paths = watchRoutes(app);
  app.setErrorHandler((error, _request, reply) => sendError(error, reply, requestLog));
  app.setNotFoundHandler((request, reply) => sendUnknown(request, reply, paths, requestLog));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const fault = findHostFault(raw);
    done(fault === undefined ? undefined : new ServiceError('MALFORMED_REQUEST', fault));
  });
  // Before the body is read: an unknown path is 404 whatever is sent to it.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendUnknown(request, reply, paths, requestLog);
    else done();
  });
  if (log.isLevelEnabled('debug')) logRequests(app, log);
  return app;
}

function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, ip } = request;
    const route = request.is404 ? undefined : routeOptions.url;
    log.debug(
      { method, route, status: reply.statusCode, elapsedMs: Math.round(reply.elapsedTime), ip },
      'A request was answered.',
    );
    done();
  });
}

function sendError(error: unknown, reply: FastifyReply, log: RequestLog): void {
  const { status, headers = {}, body } = formatErrorAnswer(error, log);
  // An error may be gone in a moment, so caches must not keep it (RFC 9111 §5.2.2.5).
  reply.header('cache-control', 'no-store');
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, paths: KnownPaths, log: RequestLog): void {
  if (openAnswer(request, reply)) reply.header('access-control-expose-headers', 'Allow');
  const methods = paths.findMethods(request.url);
  if (methods.length === 0 || methods.includes(request.method)) {
    sendError(new ServiceError('NOT_FOUND', 'There is nothing at this path.'), reply, log);
    return;
  }
  reply.header('allow', methods.join(', '));
  sendError(new ServiceError('METHOD_NOT_ALLOWED', `This path only supports ${methods.join(', ')}.`), reply, log);
}

/**
 * Listens on one address: the first that a name has. Fastify itself would open another server for each further address of `localhost`,
 * without TLS and without bounds.
 *
 * @throws the system's own error, such as ENOTFOUND or EADDRINUSE
 */
export async function listenOn(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  const { address } = await lookup(host);
  await app.listen({ host: address, port });
}
