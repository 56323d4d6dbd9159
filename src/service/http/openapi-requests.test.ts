import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiStand, openApiStand } from '../../../test/support/api-stand.ts';
import { type DocumentedSchema, DocumentedValues, spoil } from '../../../test/support/documented-values.ts';
import { refuseBrokenJson } from '../store/mend-row.ts';

interface Parameter {
  name: string;
  in: string;
  schema: DocumentedSchema;
}
interface DocumentedOperation {
  parameters?: Parameter[];
  responses: object;
  requestBody?: { content: { 'application/json': { schema: DocumentedSchema } } };
}

let api: ApiStand;
let values: DocumentedValues;
let paths: Record<string, Record<string, DocumentedOperation>>;
beforeAll(async () => {
  api = await openApiStand();
  const document = (await api.ask('GET', '/openapi.json')).body as {
    paths: typeof paths;
    components: { schemas: Record<string, DocumentedSchema> };
  };
  ({ paths } = document);
  values = await DocumentedValues.open(document.components.schemas);
});
afterAll(() => api.close());

const bodyOf = (path: string, method: string): DocumentedSchema => {
  const schema = paths[path]?.[method]?.requestBody?.content['application/json'].schema;
  if (schema === undefined) throw new Error(`${method} ${path} has no body in the document.`);
  return schema;
};

/** Values that the document allows, and variations in one place that it may or may not allow. */
const makeBodies = (schema: DocumentedSchema) =>
  fc.oneof(values.make(schema), values.make(schema).chain(spoil), fc.jsonValue({ maxDepth: 3 }));

test.each([
  { method: 'post', path: '/stream', taken: 201 },
  { method: 'patch', path: '/stream/{id}', taken: 204 },
])(
  '$method $path accepts exactly the bodies that the document allows; all that it accepts is shown, and no damage at the next start',
  async ({ method, path, taken }) => {
    const schema = bodyOf(path, method);
    const { id } = await api.create();
    await fc.assert(
      fc.asyncProperty(makeBodies(schema), async (body) => {
        const { status, body: answer } = await api.ask(method.toUpperCase(), path.replace('{id}', id), JSON.stringify(body));
        const isAllowed = values.allows(schema, body);
        expect({ answer, status: status === taken ? 'taken' : status === 400 || status === 422 ? 'refused' : status }).toEqual({
          answer,
          status: isAllowed ? 'taken' : 'refused',
        });
        if (!isAllowed) return;
        const shown = await api.ask('GET', `/stream/${method === 'post' ? (answer as { id: string }).id : id}`);
        expect(shown.body).toMatchObject(JSON.parse(JSON.stringify(body)));
        refuseBrokenJson(api.store.db);
      }),
      { numRuns: 200 },
    );
  },
  60_000,
);

test.each([
  ['malformed', '{', 'application/json', 400],
  ['of another type', 'x', 'text/plain', 415],
  ['too large', `"${'x'.repeat(1_100_000)}"`, 'application/json', 413],
])('delete with a body that is %s gets an answer that the document has', async (_what, body, type, expected) => {
  const { id } = await api.create();
  for (const path of ['/stream/{id}', '/stream/{id}/terminate']) {
    const { status } = await api.ask('DELETE', path.replace('{id}', id), body, { 'content-type': type });
    expect(status).toBe(expected);
    expect(paths[path]?.delete?.responses).toHaveProperty(String(status));
  }
});

test.each(['/stream', '/session', '/stream/{id}/sessions', '/ingest'])(
  'get %s accepts exactly the queries that the document allows',
  async (path) => {
    const { id } = await api.create();
    const parameters = (paths[path]?.get?.parameters ?? []).filter((parameter) => parameter.in === 'query');
    expect(parameters.length).toBeGreaterThan(0);
    const anything = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('c', 'c1', 'C1', 'c12345678901', '1001'));
    const query: fc.Arbitrary<Record<string, string | undefined>> = fc.record(
      Object.fromEntries(
        parameters.map(({ name, schema }) => [name, fc.oneof(values.make(schema).map(String), anything)] as const),
      ),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (drawn) => {
        const given = Object.fromEntries(Object.entries(drawn).filter((entry) => entry[1] !== undefined)) as Record<
          string,
          string
        >;
        const { status } = await api.ask('GET', `${path.replace('{id}', id)}?${new URLSearchParams(given)}`);
        const isAllowed = parameters.every((parameter) => isQueryAllowed(parameter, given));
        expect({ given, status }).toEqual({ given, status: isAllowed ? 200 : 400 });
      }),
      { numRuns: 200 },
    );
  },
  60_000,
);

function isQueryAllowed({ name, schema }: Parameter, given: Record<string, string>): boolean {
  const text = given[name];
  if (text === undefined) return true;
  const other = given[schema['x-notWith'] ?? ''];
  if (isTrue(text) && other !== undefined && isTrue(other)) return false;
  switch (schema.type) {
    case 'integer':
      return /^\d+$/.test(text) && values.allows(schema, Number(text));
    case 'boolean':
      // As the descriptions write them, and as in JSON.
      return ['1', '0', 'true', 'false'].includes(text);
    default:
      return values.allows(schema, text);
  }
}

function isTrue(text: string): boolean {
  return text === '1' || text === 'true';
}
