import { z } from 'zod';
import { ErrorBody, type ErrorCode, errorTable } from '../../shared/errors.ts';
import type { AnswerDescription, Operation } from './operation.ts';

type Json = Record<string, unknown>;

/**
 * Formats the OpenAPI 3.1 document of these operations.
 *
 * It uses the schemas that validate requests. Those with an id are listed once, under `components.schemas`.
 */
export function formatOpenApi(operations: Readonly<Record<string, Operation>>, version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [operationId, operation] of Object.entries(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: formatOperation(operationId, operation, schemas),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tallylight',
      version,
      description: 'Creates live streams, provides their publishing and playback URLs, and shows which ones are on air.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, created in Settings or with `tallylight keys create NAME`.',
        },
      },
    },
    security: [{ apiKey: [] }],
  };
}

function formatOperation(operationId: string, operation: Operation, schemas: Json): Json {
  const { summary, tag, open, params, query, body, answers } = operation;
  const parameters = [
    ...Object.entries(params ?? {}).map(([name, description]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    ...(query === undefined ? [] : formatQuery(query, schemas)),
  ];
  return {
    operationId,
    summary,
    tags: [tag],
    ...(open === true && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: formatContent(body, schemas, 'input') } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, formatAnswer(answer, schemas)])),
      ...formatErrors(listErrors(operation), schemas),
    },
  };
}

/**
 * The errors of an operation: the ones it lists, and those that follow from having a key or a body. A body that isn't needed is
 * read, too.
 */
function listErrors({ method, open, body, errors }: Operation): ErrorCode[] {
  const withKey: ErrorCode[] = ['UNAUTHORIZED', 'UNAVAILABLE'];
  const readsBody: ErrorCode[] = ['MALFORMED_REQUEST', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
  return [
    ...(open === true ? [] : withKey),
    ...(method === 'GET' ? [] : readsBody),
    ...(body === undefined ? [] : (['INVALID_INPUT'] as const)),
    ...(errors ?? []),
    'TLS_REQUIRED',
    'INTERNAL',
  ];
}

/** One response per status, describing every error with that status. */
function formatErrors(codes: readonly ErrorCode[], schemas: Json): Json {
  const whenByStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, when } = errorTable[code];
    whenByStatus.set(status, [...(whenByStatus.get(status) ?? []), when]);
  }
  return Object.fromEntries(
    [...whenByStatus].map(([status, when]) => [
      status,
      formatAnswer({ description: when.join(' '), schema: ErrorBody, headers: errorHeaders[status] ?? {} }, schemas),
    ]),
  );
}

const errorHeaders: Readonly<Record<number, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'The authorization scheme: `Bearer`.' },
  429: { 'Retry-After': 'Seconds to wait before trying again.' },
  503: { 'Retry-After': 'Seconds to wait before trying again.' },
};

function formatAnswer({ description, schema, headers = {} }: AnswerDescription, schemas: Json): Json {
  return {
    description,
    ...(Object.keys(headers).length > 0 && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
      ),
    }),
    ...(schema !== undefined && { content: formatContent(schema, schemas, 'output') }),
  };
}

function formatContent(schema: z.ZodType, schemas: Json, io: 'input' | 'output'): Json {
  return { 'application/json': { schema: formatSchema(schema, schemas, io) } };
}

function formatQuery(query: z.ZodType, schemas: Json): Json[] {
  const { properties } = formatSchema(query, schemas, 'output') as { properties: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({ name, in: 'query', description, schema }));
}

/** A schema as JSON Schema (draft 2020-12, as in OpenAPI 3.1). Schemas with an id are added to `schemas` and referenced. */
function formatSchema(schema: z.ZodType, schemas: Json, io: 'input' | 'output'): Json {
  // Wrapped in a property, so that a top-level schema with an id becomes a reference too.
  const { properties, $defs = {} } = JSON.parse(
    JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io })).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { properties: { it: Json }; $defs?: Json };
  Object.assign(schemas, $defs);
  return properties.it;
}
