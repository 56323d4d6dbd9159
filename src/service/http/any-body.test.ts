import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { type ApiStand, openApiStand } from '../../../test/support/api-stand.ts';
import { Stream } from '../../shared/model/stream.ts';

let api: ApiStand;
beforeAll(async () => {
  api = await openApiStand();
});
afterAll(() => api.close());

const profile = fc.record(
  {
    name: fc.oneof(fc.string(), fc.constant('source')),
    bitrate: fc.oneof(fc.integer(), fc.double()),
    fps: fc.oneof(fc.constant(30), fc.integer()),
    width: fc.integer({ min: 100, max: 9000 }),
    height: fc.integer({ min: 100, max: 9000 }),
    other: fc.anything(),
  },
  { requiredKeys: [] },
);
/** Bodies that are nearly valid, and some that are nothing like it. */
const nearlyStream = fc.record(
  {
    name: fc.oneof(fc.string(), anyText(), fc.jsonValue()),
    profiles: fc.oneof(fc.array(profile, { maxLength: 20 }), fc.jsonValue()),
    record: fc.oneof(fc.boolean(), fc.jsonValue()),
    suspended: fc.boolean(),
    multistream: fc.oneof(fc.jsonValue(), fc.record({ targets: fc.jsonValue() })),
    id: fc.string(),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  nearlyStream.map((value) => JSON.stringify(value)),
  nearlyStream.map((value) => JSON.stringify(value).slice(0, -1)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  nearlyStream.map((value) => gzipSync(JSON.stringify(value))),
  fc.integer({ min: 1, max: 5000 }).map((depth) => '['.repeat(depth)),
  anyText(),
);
const contentType = fc.oneof(
  { weight: 5, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'text/plain',
    'application/jsonx',
    ';',
    'multipart/form-data',
  ),
  fc.string({ maxLength: 40 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
);
const encoding = fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.constant({ 'content-encoding': 'gzip' }));

async function listStreams() {
  return (await api.ask('GET', '/stream?streamsonly=1&limit=1000')).body as Stream[];
}

test('no POST body causes an internal error, and only a 201 creates a stream, a complete one', async () => {
  await fc.assert(
    fc.asyncProperty(body, contentType, encoding, async (payload, type, headers) => {
      const before = await listStreams();
      const answer = await api.ask('POST', '/stream', payload, { 'content-type': type, ...headers });
      const after = await listStreams();
      if (answer.status === 201) {
        expect(Stream.parse(answer.body)).toEqual(answer.body);
        expect(after).toEqual([answer.body, ...before].slice(0, 1000));
        await api.ask('DELETE', `/stream/${(answer.body as Stream).id}`);
      } else {
        expect([400, 413, 415, 422]).toContain(answer.status);
        expect(answer.body).toEqual({ errors: expect.arrayContaining([expect.stringMatching(/./)]) });
        expect(after).toEqual(before);
      }
    }),
    { numRuns: 600 },
  );
}, 60_000);

test('no PATCH body causes an internal error, and only a 204 changes the stream', async () => {
  const { id } = (await api.ask('POST', '/stream', { name: 'a' })).body as Stream;
  await fc.assert(
    fc.asyncProperty(body, contentType, encoding, async (payload, type, headers) => {
      const before = await listStreams();
      const answer = await api.ask('PATCH', `/stream/${id}`, payload, { 'content-type': type, ...headers });
      const after = await listStreams();
      if (answer.status === 204) expect(Stream.parse(after[0])).toEqual(after[0]);
      else {
        expect([400, 413, 415, 422]).toContain(answer.status);
        expect(after).toEqual(before);
      }
    }),
    { numRuns: 600 },
  );
}, 60_000);

test('accepted values are returned as they were sent', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).filter((each) => each.trim() !== '');
  const whole = fc.record(
    {
      name: text,
      profiles: fc.uniqueArray(
        fc.record({
          name: text.filter((name) => name.toLowerCase() !== 'source'),
          bitrate: fc.integer({ min: 400, max: 2_000_000_000 }),
          fps: fc.constant(30),
          width: fc.integer({ min: 128, max: 8192 }),
          height: fc.integer({ min: 128, max: 8192 }),
        }),
        { maxLength: 16, selector: ({ name }) => name },
      ),
    },
    { requiredKeys: ['name'] },
  );
  await fc.assert(
    fc.asyncProperty(whole, async (given) => {
      const created = await api.ask('POST', '/stream', given);
      expect(created).toMatchObject({ status: 201, body: given });
      expect((await api.ask('GET', `/stream/${(created.body as Stream).id}`)).body).toEqual(created.body);
      expect(JSON.stringify(created.body)).not.toContain('null');
    }),
    { numRuns: 100 },
  );
});

test('no path or query causes an internal error', async () => {
  const { id } = (await api.ask('POST', '/stream', { name: 'a' })).body as Stream;
  const part = fc.oneof(
    fc.string(),
    anyText().map(encodeURIComponent),
    fc.constantFrom(
      'stream',
      'session',
      'sessions',
      'terminate',
      'ingest',
      id,
      '..',
      '%zz',
      '%00',
      '__proto__',
      'x'.repeat(200),
    ),
  );
  const query = fc.array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom('limit', 'cursor', 'active', 'first')), fc.string()));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'POST'),
      fc.array(part, { maxLength: 4 }),
      query,
      async (method, parts, pairs) => {
        const url = `/api/stream/${parts.join('/')}?${new URLSearchParams(pairs)}`.replaceAll(/[^\x21-\x7e]/g, '%20');
        const { statusCode } = await api.app.inject({ method, url, headers: { authorization: `Bearer ${api.secret}` } });
        expect(statusCode).toBeLessThan(500);
      },
    ),
    { numRuns: 500 },
  );
});
