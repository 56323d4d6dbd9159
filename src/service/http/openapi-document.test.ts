import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiStand, openApiStand } from '../../../test/support/api-stand.ts';

interface Answer {
  description: string;
  content?: { 'application/json': { schema: unknown } };
  headers?: Record<string, unknown>;
}
interface OperationObject {
  operationId: string;
  summary: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: unknown; description: string }[];
  requestBody?: { required: boolean; content: unknown };
  responses: Record<string, Answer>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, { type: string; properties: Record<string, object>; required: string[] }>;
    securitySchemes: object;
  };
  security: unknown[];
}

let api: ApiStand;
let document: Document;
beforeAll(async () => {
  api = await openApiStand();
  const answer = await api.ask('GET', '/openapi.json', undefined, { authorization: '' });
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  document = answer.body as Document;
});
afterAll(() => api.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test('lists every operation with its answers', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Tallylight', version: '1.2.3' },
    servers: [{ url: '/api' }],
  });
  const table = operations().map(
    ({ path, method, operation }) =>
      `${operation.operationId}: ${method} ${path} → ${Object.keys(operation.responses).join(' ')}`,
  );
  expect(table.sort()).toEqual([
    'createStream: post /stream → 201 400 401 403 413 415 422 500 503',
    'deleteStream: delete /stream/{id} → 204 400 401 403 404 413 415 500 503',
    'getIngest: get /ingest → 200 400 403 500',
    'getSession: get /session/{id} → 200 401 403 404 500 503',
    'getSessions: get /session → 200 400 401 403 500 503',
    'getStream: get /stream/{id} → 200 401 403 404 500 503',
    'getStreamSessions: get /stream/{id}/sessions → 200 400 401 403 404 500 503',
    'getStreams: get /stream → 200 400 401 403 500 503',
    'terminateStream: delete /stream/{id}/terminate → 204 400 401 403 404 413 415 429 500 503',
    'updateStream: patch /stream/{id} → 204 400 401 403 404 413 415 422 500 503',
  ]);
});

test('every operation is a route with the documented authorization', async () => {
  for (const { path, method, operation } of operations()) {
    const url = path.replace('{id}', 'x');
    const { status } = await api.ask(method.toUpperCase(), url, undefined, { authorization: '' });
    expect({ path, method, status }).toEqual({ path, method, status: operation.security === undefined ? 401 : 200 });
    expect(operation.security ?? document.security).toEqual(operation.security === undefined ? [{ apiKey: [] }] : []);
  }
  expect(document.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
});

test('every path parameter is described, and every answer but 204 has a schema', () => {
  for (const { path, operation } of operations()) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(described.map(({ name, required }) => ({ name, required }))).toEqual(
      named.map((name) => ({ name, required: true })),
    );
    for (const parameter of operation.parameters ?? []) expect(parameter.description).toMatch(/\w/);
    for (const [status, answer] of Object.entries(operation.responses)) {
      expect(answer.description).toMatch(/\w/);
      if (status === '204') expect(answer.content).toBeUndefined();
      else if (status === '200' || status === '201') expect(answer.content?.['application/json'].schema).toBeTypeOf('object');
      else expect(answer.content?.['application/json'].schema).toEqual({ $ref: '#/components/schemas/Errors' });
    }
  }
});

test('every reference resolves, and every schema is referenced', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
  const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect([...new Set(references)].sort()).toEqual(known.sort());
  expect(known).toEqual(
    ['Errors', 'IngestPair', 'NewStream', 'Profile', 'Session', 'Stream', 'StreamChanges'].map(
      (name) => `#/components/schemas/${name}`,
    ),
  );
  expect(JSON.stringify(document)).not.toContain('$defs');
});

test('documents the limits that are enforced', () => {
  const { Profile, NewStream, Stream, StreamChanges } = document.components.schemas;
  expect(Profile).toEqual({
    type: 'object',
    description: 'The settings of one transcoded rendition.',
    properties: {
      name: {
        type: 'string',
        description: 'Any name except `source` (in any case), which is reserved for the source rendition.',
        minLength: 1,
        maxLength: 500,
        pattern: '^\\P{Cs}*$',
        not: { pattern: '^[sS][oO][uU][rR][cC][eE]$' },
      },
      bitrate: { type: 'integer', minimum: 400, maximum: 2_000_000_000 },
      fps: { type: 'integer', minimum: 0, maximum: 240 },
      width: { type: 'integer', minimum: 128, maximum: 8192 },
      height: { type: 'integer', minimum: 128, maximum: 8192 },
    },
    required: ['name', 'bitrate', 'fps', 'width', 'height'],
    additionalProperties: false,
  });
  expect(NewStream).toMatchObject({ required: ['name'], additionalProperties: false });
  expect(NewStream?.properties).toEqual({
    // Well-formed, and not blank.
    name: { type: 'string', minLength: 1, maxLength: 500, pattern: '^\\P{Cs}*[^\\s\\p{Cs}]\\P{Cs}*$' },
    profiles: {
      type: 'array',
      description: expect.stringContaining('Each needs a unique `name` (`x-uniqueBy`), and all must have the same `fps`'),
      maxItems: 16,
      uniqueItems: true,
      'x-uniqueBy': 'name',
      'x-sameValue': 'fps',
      items: { $ref: '#/components/schemas/Profile' },
    },
  });
  expect(StreamChanges).toMatchObject({ minProperties: 1, additionalProperties: false });
  expect(Stream?.required).toEqual(expect.arrayContaining(['id', 'streamKey', 'playbackId', 'isActive', 'lastSeen']));
});

test('says of recording and targets that they are only stored', () => {
  const record = { type: 'boolean', description: 'Only stored: Tallylight makes no recordings.' };
  const { Session, Stream, StreamChanges } = document.components.schemas;
  const { properties } = StreamChanges ?? {};
  expect([Session, Stream, StreamChanges].map((schema) => schema?.properties.record)).toEqual([record, record, record]);
  expect(properties?.multistream).toMatchObject({ description: 'Only stored: Tallylight sends to no targets.' });
  expect(Stream?.properties.multistream).toMatchObject({ description: 'Only stored: Tallylight sends to no targets.' });
  expect(document.paths['/session']?.get?.parameters?.find(({ name }) => name === 'record')?.description).toBe(
    '1: only sessions whose `record` is true.',
  );
});

test('documents the parameters of lists', () => {
  expect(document.paths['/stream']?.get?.parameters).toEqual([
    {
      name: 'limit',
      in: 'query',
      description: 'Most items to return.',
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
    },
    {
      name: 'cursor',
      in: 'query',
      description: 'Where the page begins, from the `Link` header of the previous page.',
      schema: { type: 'string', pattern: '^c[0-9a-z]{1,10}$' },
    },
    {
      name: 'streamsonly',
      in: 'query',
      description: '1: only streams, no sessions. Cannot be combined with `sessionsonly`.',
      schema: { type: 'boolean', default: false },
    },
    {
      name: 'sessionsonly',
      in: 'query',
      description: '1: only sessions. Cannot be combined with `streamsonly`.',
      schema: { type: 'boolean', default: false, 'x-notWith': 'streamsonly' },
    },
    { name: 'active', in: 'query', description: '1: only active ones.', schema: { type: 'boolean', default: false } },
  ]);
  expect(document.paths['/stream']?.get?.responses['200']?.headers).toHaveProperty('Link');
});
