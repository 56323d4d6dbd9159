import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { ServiceError } from '../../shared/errors.ts';
import { defaultHttpBounds, type HttpBounds } from '../config.ts';
import type { Logger } from '../ports.ts';
import { answerClientError } from './client-error.ts';
import { boundConnections } from './connection-bounds.ts';
import { formatErrorAnswer } from './error-answer.ts';
import { maxBodyBytes, readJsonBodies } from './json-body.ts';
import { type KnownPaths, watchRoutes } from './known-paths.ts';
import { endUnreadAnswers } from './unread-answers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Prefixes below which pages of any origin may read every answer, those for unknown paths and methods too. */
    readonly openPrefixes: Set<string>;
  }
}

/** How often it is looked whether a request has arrived in time. */
const timeoutCheckMs = 500;

interface HttpServerOptions {
  log: Logger;
  bounds?: HttpBounds;
}

/**
 * The HTTP server, without routes: those of the public interface, of playback and of the UI are added to it.
 *
 * It reads JSON bodies only, answers every failure with `{"errors": ["sentence", …]}`, unknown paths with 404 and wrong
 * methods with 405 and `Allow` (RFC 9110 §15.5.6). Requests are logged at the level `debug` alone, by their route: URLs may bear
 * tokens. No connection is held for longer, nor more of them, than `bounds` say.
 */
export function createHttpServer({ log, bounds = defaultHttpBounds }: HttpServerOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // Given as the logger of the server, it would make a child of itself, and listen to the end, for every request.
    childLoggerFactory: () => log as FastifyBaseLogger,
    bodyLimit: maxBodyBytes,
    requestTimeout: bounds.requestTimeoutMs,
    // By default Node looks at its timeouts every 30 s only.
    http: { headersTimeout: bounds.headersTimeoutMs, connectionsCheckingInterval: timeoutCheckMs },
    // Players keep their connections open: the close of the service does not wait for them.
    forceCloseConnections: true,
    // Fastify's own 503 has another body than ours; a closing server refuses connections anyway.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => sendError(error, reply, log),
    clientErrorHandler: answerClientError,
  });
  boundConnections(app.server, bounds, log);
  endUnreadAnswers(app.server, bounds);
  readJsonBodies(app);
  app.decorate('openPrefixes', new Set<string>());
  const paths = watchRoutes(app);
  app.setErrorHandler((error, _request, reply) => sendError(error, reply, log));
  app.setNotFoundHandler((request, reply) => sendUnknown(request, reply, paths, log));
  // Before a body is read: an unknown path is unknown whatever is sent to it.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendUnknown(request, reply, paths, log);
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

function sendError(error: unknown, reply: FastifyReply, log: Logger): void {
  const { status, headers = {}, body } = formatErrorAnswer(error, log);
  // What fails or is missing now may not in a moment: no cache is to keep that it did.
  reply.header('cache-control', 'no-store');
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, paths: KnownPaths, log: Logger): void {
  const path = request.url.split('?', 1)[0] ?? '';
  const isOpen = [...request.server.openPrefixes].some((prefix) => path.startsWith(`${prefix}/`));
  if (isOpen) reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'Allow');
  const methods = paths.findMethods(path);
  if (methods.length === 0 || methods.includes(request.method)) {
    sendError(new ServiceError('NOT_FOUND', 'Nothing has this path.'), reply, log);
    return;
  }
  reply.header('allow', methods.join(', '));
  sendError(new ServiceError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')} only.`), reply, log);
}
