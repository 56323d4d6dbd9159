import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiStand, openApiStand, unknownId } from '../../../test/support/api-stand.ts';

let api: ApiStand;
beforeAll(async () => {
  api = await openApiStand();
});
afterAll(() => api.close());

describe('GET /ingest', () => {
  const pair = { ingest: 'rtmp://127.0.0.1:1935/live', playback: 'http://127.0.0.1:4600/hls' };

  test.each([
    ['', [pair]],
    ['?first=true', [pair]],
    ['?first=1', [pair]],
    ['?first=', [pair]],
    ['?first=FALSE', [pair]],
    ['?first=false', [{ ...pair, base: 'http://127.0.0.1:4600' }]],
  ])('needs no key; %j has its own answer, whatever was asked before', async (query, expected) => {
    for (let count = 0; count < 2; count++) {
      await api.ask('GET', '/ingest?first=false', undefined, { authorization: '' });
      const { status, body } = await api.ask('GET', `/ingest${query}`, undefined, { authorization: '' });
      expect({ status, body }).toEqual({ status: 200, body: expected });
    }
  });

  test('a value given twice is 400', async () => {
    expect((await api.ask('GET', '/ingest?first=false&first=true')).status).toBe(400);
  });
});

describe('authorization', () => {
  test.each(['Bearer KEY', 'bearer KEY', 'Bearer  KEY', 'Bearer KEY '])('%j is accepted', async (authorization) => {
    const answer = await api.ask('GET', '/session', undefined, { authorization: authorization.replace('KEY', api.secret) });
    expect(answer).toMatchObject({ status: 200, body: expect.any(Array) });
  });

  test.each(['', 'Bearer', 'Bearer ', 'Bearer tl_wrong', 'Basic dXNlcjpwYXNz', 'Bearer a b'])(
    '%j is 401 on every operation',
    async (authorization) => {
      const { id } = await api.create();
      for (const [method, path] of [
        ['POST', '/stream'],
        ['GET', '/stream'],
        ['GET', `/stream/${id}`],
        ['GET', `/stream/${unknownId}`],
        ['PATCH', `/stream/${id}`],
        ['DELETE', `/stream/${id}`],
        ['DELETE', `/stream/${id}/terminate`],
        ['GET', `/stream/${id}/sessions`],
        ['GET', '/session'],
        ['GET', `/session/${id}`],
      ] as const) {
        // The answer is the same whatever else is wrong.
        const answer = await api.ask(method, path, method === 'POST' ? '{' : undefined, { authorization });
        expect(answer).toMatchObject({
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
          body: { errors: [expect.any(String)] },
        });
      }
    },
  );

  test('the scheme is case-insensitive, and a revoked key is refused at once', async () => {
    const { secret, apiKey } = await api.store.apiKeys.create('other');
    const ask = () => api.ask('GET', '/stream', undefined, { authorization: `bEARER ${secret}` });
    expect((await ask()).status).toBe(200);
    await api.store.apiKeys.revoke(apiKey.id);
    expect((await ask()).status).toBe(401);
  });
});

describe('unknown paths and methods', () => {
  test.each([
    ['GET', '/nothing', 404, undefined],
    ['POST', '/stream/x/y/z', 404, undefined],
    ['PUT', '/stream', 405, 'GET, HEAD, POST'],
    ['PUT', '/%73tream', 405, 'GET, HEAD, POST'],
    ['PUT', '/stream%2Fx', 404, undefined],
    ['PUT', '/%zz', 400, undefined],
    ['OPTIONS', '/stream', 405, 'GET, HEAD, POST'],
    ['POST', '/stream/x', 405, 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/stream/x/terminate', 405, 'DELETE'],
    ['DELETE', '/stream/x/sessions?a=b', 405, 'GET, HEAD'],
    ['POST', '/ingest', 405, 'GET, HEAD'],
    ['POST', '/openapi.json', 405, 'GET, HEAD'],
  ])('%s %s is %i', async (method, path, status, allow) => {
    const answer = await api.ask(method, path, method === 'POST' ? 'x' : undefined, { 'content-type': 'text/plain' });
    expect(answer).toMatchObject({ status, body: { errors: [expect.any(String)] } });
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

test('an internal error is 500 with an error id that is also in the log, and no stack', async () => {
  await using api = await openApiStand();
  const { id } = await api.create();
  api.store.db.exec('ALTER TABLE stream RENAME TO gone');
  const { status, body } = await api.ask('GET', `/stream/${id}`);
  expect(status).toBe(500);
  const [, errorId] = /error id ([0-9a-f-]{36}) in/.exec((body as { errors: string[] }).errors.join()) ?? [];
  expect(body).toEqual({ errors: [`Something went wrong in Tallylight. See error id ${errorId} in its log.`] });
  expect(api.lines).toEqual([expect.objectContaining({ errorId, msg: 'A request failed because of an internal error.' })]);
});

test('while the store cannot be written, changes are 503 and complete or absent, and reads work', async () => {
  await using api = await openApiStand();
  const stream = await api.create();
  await api.ask('GET', `/stream/${stream.id}`);
  api.store.db.exec('PRAGMA query_only = ON');
  const sentence = 'The store is read-only. Give Tallylight write permission for its data folder.';
  const refusal = { status: 503, headers: { 'retry-after': '1' }, body: { errors: [sentence] } };
  // Each of them is refused after its own second.
  const answers = await Promise.all([
    api.ask('POST', '/stream', { name: 'a' }),
    api.ask('PATCH', `/stream/${stream.id}`, { name: 'b' }),
    api.ask('DELETE', `/stream/${stream.id}`),
  ]);
  for (const answer of answers) expect(answer).toMatchObject(refusal);
  expect(await api.ask('GET', '/stream')).toMatchObject({ status: 200, body: [stream] });
  expect(api.store.live.ended).toEqual([]);
  api.store.db.exec('PRAGMA query_only = OFF');
  expect((await api.ask('DELETE', `/stream/${stream.id}`)).status).toBe(204);
});
