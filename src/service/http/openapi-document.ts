import { z } from 'zod';
import { ErrorBody, type ErrorCode, errorTable } from '../../shared/errors.ts';
import type { AnswerDescription, Operation } from './operation.ts';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of these operations.
 *
 * Its schemas are those that requests are validated with; the ones that have an id stand under `components.schemas` once.
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
      description: 'Creates live streams, tells how to broadcast to and play them, and shows what is on air.',
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
          description: 'An API key, made in Settings or by `tallylight keys create NAME`.',
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

/** What a call may fail with: what its operation names, and what follows from its being open or having a body. */
function listErrors({ open, body, errors }: Operation): ErrorCode[] {
  const withKey: ErrorCode[] = ['UNAUTHORIZED', 'UNAVAILABLE'];
  const withBody: ErrorCode[] = ['MALFORMED_REQUEST', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_INPUT'];
  return [...(open === true ? [] : withKey), ...(body === undefined ? [] : withBody), ...(errors ?? []), 'INTERNAL'];
}

/** One response for each status, with the description of every error that has it. */
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
  401: { 'WWW-Authenticate': 'The scheme to authorize with: `Bearer`.' },
  429: { 'Retry-After': 'After how many seconds to try again.' },
  503: { 'Retry-After': 'After how many seconds to try again.' },
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

/** A schema as JSON Schema (draft 2020-12, that of OpenAPI 3.1); those with an id go to `schemas`, and are referred to. */
function formatSchema(schema: z.ZodType, schemas: Json, io: 'input' | 'output'): Json {
  // As a property, so that a schema with an id is referred to even where it stands alone.
  const { properties, $defs = {} } = JSON.parse(
    JSON.stringify(z.toJSONSchema(z.object({ it: schema }), { io })).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { properties: { it: Json }; $defs?: Json };
  Object.assign(schemas, $defs);
  return properties.it;
}
