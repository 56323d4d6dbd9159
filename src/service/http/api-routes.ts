import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ServiceError } from '../../shared/errors.ts';
import { isFromThisComputer } from '../lib/address-group.ts';
import { findViolations, violationError } from '../lib/violations.ts';
import type { Regions } from '../regions/regions.ts';
import type { ApiKeys } from '../streams/api-keys.ts';
import type { Page, Streams } from '../streams/streams.ts';
import { type ApiOperations, apiOperations } from './api-operations.ts';
import { findAskedOrigin } from './asked-origin.ts';
import { formatOpenApi } from './openapi-document.ts';
import type { Answer, Call, Operation } from './operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the API key that authorized the request; '' before that, and for operations without a key. */
    tokenName: string;
  }
}

/** The parts of the service that the public interface needs. */
export interface ApiParts {
  streams: Streams;
  apiKeys: ApiKeys;
  regions: Pick<Regions, 'allPairs' | 'nearestPair' | 'publicUrl'>;
  version: string;
}

type Handlers = { [Id in keyof ApiOperations]: (call: Call<ApiOperations[Id]>) => Answer | Promise<Answer> };

/** Adds the public interface (Live Streaming Service Interface) under `/api`, with its OpenAPI document. */
export function addApiRoutes(app: FastifyInstance, parts: ApiParts): void {
  const handlers = createHandlers(parts);
  app.decorateRequest('tokenName', '');
  for (const [id, operation] of Object.entries(apiOperations) as [keyof ApiOperations, Operation][]) {
    addRoute(app, operation, handlers[id] as (call: unknown) => Answer | Promise<Answer>, parts);
  }
  let document: string | undefined;
  app.get('/api/openapi.json', (_request, reply) => {
    // Formatted when first requested: it would take a sixth of the processor time of a start, and few ask for it.
    document ??= JSON.stringify(formatOpenApi(apiOperations, parts.version));
    reply.type('application/json; charset=utf-8').send(document);
  });
}

function createHandlers({ streams, regions }: ApiParts): Handlers {
  return {
    createStream: async ({ body, tokenName }) => ({ status: 201, body: await streams.create(body, { tokenName }) }),
    getStreams({ query: { limit, cursor, streamsonly, sessionsonly, active }, url }) {
      const kind = streamsonly ? 'streams' : sessionsonly ? 'sessions' : 'all';
      return answerPage(streams.list({ kind, activeOnly: active, limit, cursor }), url);
    },
    getStream: ({ params }) => ({ status: 200, body: streams.get(params.id) }),
    async updateStream({ params, body, tokenName }) {
      await streams.update(params.id, body, { tokenName });
      return { status: 204 };
    },
    async deleteStream({ params, tokenName }) {
      await streams.delete(params.id, { tokenName });
      return { status: 204 };
    },
    terminateStream({ params, tokenName }) {
      streams.terminate(params.id, { tokenName });
      return { status: 204 };
    },
    getStreamSessions: ({ params, query, url }) => answerPage(streams.listSessions(params.id, query), url),
    getSessions: ({ query, url }) => answerPage(streams.listSessions(undefined, query), url),
    getSession({ params }) {
      const object = streams.get(params.id);
      if (!('parentId' in object)) throw new ServiceError('NOT_FOUND', 'No session has this id.');
      return { status: 200, body: object };
    },
    getIngest({ query, caller }) {
      if (query.first === 'false') return { status: 200, body: regions.allPairs(caller()) };
      const nearest = regions.nearestPair(caller());
      return nearest instanceof Promise
        ? nearest.then((pair) => ({ status: 200, body: [pair] }))
        : { status: 200, body: [nearest] };
    },
  };
}

/** One page of a list, with a `Link` to the next page if there is one (RFC 8288 §3). */
function answerPage({ items, nextCursor }: Page<unknown>, url: () => URL): Answer {
  if (nextCursor === undefined) return { status: 200, body: items };
  const next = url();
  next.searchParams.set('cursor', nextCursor);
  return { status: 200, body: items, headers: { link: `<${next.href}>; rel="next"` } };
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  handle: (call: unknown) => Answer | Promise<Answer>,
  { apiKeys, regions }: ApiParts,
): void {
  app.route({
    method: operation.method,
    url: `/api${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    // Check the key before the body is read: without a valid key the caller learns nothing about errors in the body.
    ...(operation.open !== true && {
      onRequest(request, _reply, done) {
        request.tokenName = authorize(request, apiKeys);
        done();
      },
    }),
    async handler(request, reply) {
      const call: Call<Operation> = {
        params: request.params as undefined,
        query: operation.query && parseInput(operation.query, request.query, 'MALFORMED_REQUEST'),
        body: operation.body && parseInput(operation.body, requireBody(request), 'INVALID_INPUT'),
        tokenName: request.tokenName,
        url: () => regions.publicUrl(getUrl(request)),
        caller: () => ({
          address: request.socket.remoteAddress,
          isOnThisComputer: isFromThisComputer(request.socket),
          asked: findAskedOrigin(request),
        }),
      };
      const answer = handle(call);
      // Synchronous answers, such as reads, are sent in the same turn.
      const { status, body, headers } = answer instanceof Promise ? await answer : answer;
      reply.code(status).header('cache-control', 'no-store');
      if (headers !== undefined) reply.headers(headers);
      // Serialize here, because Fastify would look for a schema first.
      if (body === undefined) return reply.send();
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
  });
}

/** Checks `Authorization: Bearer KEY` (RFC 6750 §2.1) and returns the key's name. @throws {ServiceError} UNAUTHORIZED */
function authorize(request: FastifyRequest, apiKeys: ApiKeys): string {
  const [, secret] = /^Bearer +([^ ]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (secret === undefined) {
    throw new ServiceError('UNAUTHORIZED', 'An API key is required. Send it in the header "Authorization: Bearer KEY".');
  }
  const key = apiKeys.authenticate(secret);
  if (key === undefined) throw new ServiceError('UNAUTHORIZED', 'This API key is unknown or has been revoked.');
  return key.name;
}

/** The request's URL. @throws {ServiceError} MALFORMED_REQUEST when `Host` is not a valid host (RFC 9112 §3.2) */
function getUrl({ url, protocol, host }: FastifyRequest): URL {
  const parsed = URL.parse(url, `${protocol}://${host}`);
  if (parsed === null) throw new ServiceError('MALFORMED_REQUEST', 'The Host header is not a valid host.');
  return parsed;
}

function requireBody(request: FastifyRequest): unknown {
  if (request.body === undefined) {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON. Send "Content-Type: application/json".');
  }
  return request.body;
}

function parseInput(schema: z.ZodType, input: unknown, code: 'MALFORMED_REQUEST' | 'INVALID_INPUT'): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw violationError(code, findViolations(parsed.error, input));
}
