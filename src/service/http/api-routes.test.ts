import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiStand, openApiStand } from '../../../test/support/api-stand.ts';

let api: ApiStand;
beforeEach(async () => {
  api = await openApiStand();
});
afterEach(() => api.close());

const profile = { name: '720p', bitrate: 3_000_000, fps: 30, width: 1280, height: 720 };
const unknownId = '00000000-0000-4000-8000-000000000000';

async function create(body: object = { name: 'Sunday show' }) {
  const { status, body: stream } = await api.ask('POST', '/stream', body);
  expect(status).toBe(201);
  return stream as { id: string; streamKey: string; playbackId: string; name: string };
}

describe('POST /stream', () => {
  test('answers 201 and the whole object', async () => {
    const { status, body, headers } = await api.ask('POST', '/stream', { name: 'Sunday show', profiles: [profile] });
    expect(status).toBe(201);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'Sunday show',
      profiles: [profile],
      kind: 'stream',
      createdAt: api.store.clock.time,
      createdByTokenName: 'robot',
      isActive: false,
      lastSeen: 0,
      streamKey: expect.stringMatching(/^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/),
      playbackId: expect.stringMatching(/^[a-z0-9]{16}$/),
      sourceSegments: 0,
      sourceSegmentsDuration: 0,
      transcodedSegments: 0,
      transcodedSegmentsDuration: 0,
      userID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: expect.any(String),
    });
    const { userID, userId } = body as { userID: string; userId: string };
    expect(userId).toBe(userID);
  });

  test('answers profiles as they were given: absent, empty, or with a bitrate in kbit/s', async () => {
    expect(await create()).not.toHaveProperty('profiles');
    expect(await create({ name: 'a', profiles: [] })).toMatchObject({ profiles: [] });
    expect(await create({ name: 'a', profiles: [{ ...profile, bitrate: 3000 }] })).toMatchObject({
      profiles: [{ bitrate: 3000 }],
    });
  });

  test('takes two streams of one name, which share no id, key or playback id', async () => {
    const [one, two] = [await create(), await create()];
    expect(new Set([one.id, two.id, one.streamKey, two.streamKey, one.playbackId, two.playbackId]).size).toBe(6);
  });

  test.each([
    [{}, 422, ['name: is required']],
    [[], 422, ['body: must be an object']],
    ['null', 422, ['body: must be an object']],
    [{ name: 5 }, 422, ['name: must be a string']],
    [{ name: null }, 422, ['name: must be a string']],
    [{ name: '' }, 422, ['name: must be at least 1 character long', 'name: must not be blank']],
    [{ name: '   ' }, 422, ['name: must not be blank']],
    [
      '{"name":"a\\ud83c","profiles":[{"name":"\\udfa5","bitrate":400,"fps":0,"width":128,"height":128}]}',
      422,
      ['name: must not hold half a surrogate pair', 'profiles[0].name: must not hold half a surrogate pair'],
    ],
    [{ name: 'a', profiles: null }, 422, ['profiles: must be an array']],
    [
      { name: 'a', profiles: [{}] },
      422,
      ['name', 'bitrate', 'fps', 'width', 'height'].map((key) => `profiles[0].${key}: is required`),
    ],
    [
      { name: 'a', profiles: [{ ...profile, width: 127, fps: 0.5 }] },
      422,
      ['profiles[0].fps: must be a whole number', 'profiles[0].width: must be at least 128'],
    ],
    [{ name: 'a', profiles: [profile, { ...profile, gop: '2' }] }, 422, ['profiles[1].gop: is not a property that can be set']],
    [{ name: 'a', 'odd key': 1 }, 422, ['["odd key"]: is not a property that can be set']],
    [
      { name: 'a', profiles: [profile, { ...profile, name: '480p', fps: 25 }] },
      422,
      ["profiles[1].fps: must be 30 like the first profile's: all profiles of a stream share one fps"],
    ],
    [
      { name: 'a', profiles: [profile, profile] },
      400,
      ['profiles[1].name: "720p" is used by another profile; each needs its own name'],
    ],
    [
      { name: 'a', profiles: [{ ...profile, name: 'Source' }] },
      400,
      ['profiles[0].name: "source" is taken: the source is always delivered beside the renditions'],
    ],
    ['{"name":', 400, ['The body is not valid JSON.']],
    ['', 400, ['The body is empty: JSON is expected.']],
    ['{"name":"a","__proto__":{"id":"x"}}', 422, ['__proto__: is not a property that can be set']],
    ['{"name":"a","constructor":{"prototype":{}}}', 422, ['constructor: is not a property that can be set']],
    ['{"__proto__":{"name":"a"}}', 422, ['name: is required', '__proto__: is not a property that can be set']],
    [`{"name":${'['.repeat(33)}${']'.repeat(33)}}`, 400, ['The body is nested more than 32 levels deep.']],
    [`${'[{"a":'.repeat(50_000)}`, 400, ['The body is nested more than 32 levels deep.']],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400, ['The body is not UTF-8.']],
    [`"${'a'.repeat(1024 * 1024)}"`, 413, ['The body is larger than 1 MiB.']],
  ])('%j is answered with its violations, and nothing is created', async (body, status, errors) => {
    expect(await api.ask('POST', '/stream', body)).toMatchObject({ status, body: { errors } });
    expect((await api.ask('GET', '/stream')).body).toEqual([]);
  });

  test.each([
    'id',
    'createdAt',
    'createdByTokenName',
    'isActive',
    'kind',
    'lastSeen',
    'parentId',
    'playbackId',
    'streamKey',
    'sourceSegments',
    'sourceSegmentsDuration',
    'transcodedSegments',
    'transcodedSegmentsDuration',
    'userID',
    'userId',
  ])('the server-assigned %s cannot be set, neither here nor by PATCH', async (name) => {
    const errors = [`${name}: is not a property that can be set`];
    expect(await api.ask('POST', '/stream', { name: 'a', [name]: 'x' })).toMatchObject({ status: 422, body: { errors } });
    const { id } = await create();
    const before = await api.ask('GET', `/stream/${id}`);
    expect(await api.ask('PATCH', `/stream/${id}`, { [name]: 'x' })).toMatchObject({ status: 422, body: { errors } });
    expect((await api.ask('GET', `/stream/${id}`)).body).toEqual(before.body);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'x',
    '',
  ])('content type %j is answered with 415, and nothing is created', async (type) => {
    const answer = await api.ask('POST', '/stream', '{"name":"a"}', { 'content-type': type });
    expect(answer).toMatchObject({
      status: 415,
      body: { errors: ['The body must be JSON: send content-type: application/json.'] },
    });
    expect((await api.ask('GET', '/stream')).body).toEqual([]);
  });

  test('no body at all, or a compressed one, is answered with 415; a charset is taken', async () => {
    expect((await api.ask('POST', '/stream')).status).toBe(415);
    expect((await api.ask('POST', '/stream', '{"name":"a"}', { 'content-encoding': 'gzip' })).status).toBe(415);
    const charset = { 'content-type': 'application/json; charset=UTF-8' };
    expect((await api.ask('POST', '/stream', '{"name":"a"}', charset)).status).toBe(201);
  });

  test('a body of nothing but violations is answered with the first hundred', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`key${index}`, index]));
    const { status, body } = await api.ask('POST', '/stream', { name: 'a', ...unknown });
    expect(status).toBe(422);
    const { errors } = body as { errors: string[] };
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toBe('and 4901 more');
  });
});

describe('GET /stream/{id}', () => {
  test('answers the whole object, stream key and playback id included', async () => {
    const stream = await create({ name: 'a', profiles: [profile] });
    expect(await api.ask('GET', `/stream/${stream.id}`)).toMatchObject({ status: 200, body: stream });
  });

  test('serves session objects too, without a stream key', async () => {
    const stream = await create();
    const session = api.store.ledger.beginSession(stream.id, 5);
    const { status, body } = await api.ask('GET', `/stream/${session.id}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { id: session.id, parentId: stream.id, kind: 'stream' } });
    expect(body).not.toHaveProperty('streamKey');
  });

  test.each([unknownId, 'x', '%2e%2e', '__proto__', 'a'.repeat(101)])('unknown id %s is 404', async (id) => {
    expect((await api.ask('GET', `/stream/${id}`)).status).toBe(404);
  });

  test('a malformed path is 400', async () => {
    expect(await api.ask('GET', '/stream/%zz')).toMatchObject({
      status: 400,
      body: { errors: ['The path is not a valid URL path.'] },
    });
  });
});

describe('GET /stream', () => {
  const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

  test('answers a bare array, newest first, 20 by default, with a Link to the next page', async () => {
    for (let count = 1; count <= 25; count++) await create({ name: `s${count}` });
    const first = await api.ask('GET', '/stream');
    expect(first.status).toBe(200);
    expect(names(first.body)).toEqual(Array.from({ length: 20 }, (_, index) => `s${25 - index}`));
    const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
    expect(url).toMatch(/^http:\/\/localhost(:80)?\/api\/stream\?cursor=c/);
    const { pathname, search } = new URL(url);
    const second = await api.ask('GET', pathname.slice('/api'.length) + search);
    expect(names(second.body)).toEqual(['s5', 's4', 's3', 's2', 's1']);
    expect(second.headers).not.toHaveProperty('link');
  });

  test.each(['[', 'a b', 'x:99999'])('a Host of %j is 400 where a Link would name it', async (host) => {
    await create({ name: 'old' });
    await create({ name: 'new' });
    expect(await api.ask('GET', '/stream?limit=1', undefined, { host })).toMatchObject({
      status: 400,
      body: { errors: ['The Host header must name a host.'] },
    });
  });

  test('limit 1 and 1000 are taken, and kept in the Link', async () => {
    await create({ name: 'old' });
    await create({ name: 'new' });
    const one = await api.ask('GET', '/stream?limit=1');
    expect(names(one.body)).toEqual(['new']);
    expect(one.headers.link).toContain('limit=1&cursor=');
    expect(names((await api.ask('GET', '/stream?limit=1000')).body)).toEqual(['new', 'old']);
  });

  test('streamsonly, sessionsonly and active choose', async () => {
    await create({ name: 'quiet' });
    const { id } = await create({ name: 'live' });
    api.store.ledger.beginSession(id, api.store.clock.time);
    const kinds = async (query: string) =>
      ((await api.ask('GET', `/stream${query}`)).body as { name: string; parentId?: string }[]).map(
        ({ name, parentId }) => `${name} ${parentId === undefined ? 'stream' : 'session'}`,
      );
    expect(await kinds('')).toEqual(['live session', 'live stream', 'quiet stream']);
    expect(await kinds('?streamsonly=1')).toEqual(['live stream', 'quiet stream']);
    expect(await kinds('?sessionsonly=1')).toEqual(['live session']);
    expect(await kinds('?active=1')).toEqual(['live session', 'live stream']);
    expect(await kinds('?active=true&streamsonly=true')).toEqual(['live stream']);
    expect(await kinds('?active=0&streamsonly=false&other=x')).toEqual(['live session', 'live stream', 'quiet stream']);
  });

  test.each([
    ['limit=0', 'limit: must be a whole number from 1 to 1000'],
    ['limit=1001', 'limit: must be a whole number from 1 to 1000'],
    ['limit=', 'limit: must be a whole number from 1 to 1000'],
    ['limit=1.5', 'limit: must be a whole number from 1 to 1000'],
    ['limit=1e2', 'limit: must be a whole number from 1 to 1000'],
    ['limit=-1', 'limit: must be a whole number from 1 to 1000'],
    ['limit=1&limit=2', 'limit: must be a whole number from 1 to 1000'],
    ['cursor=x', 'cursor: must be one that a Link header gave'],
    ['cursor=', 'cursor: must be one that a Link header gave'],
    ['cursor=c1&cursor=c2', 'cursor: must be given once'],
    ['active=yes', 'active: must be 1 or 0'],
    ['streamsonly=2', 'streamsonly: must be 1 or 0'],
    ['sessionsonly=', 'sessionsonly: must be 1 or 0'],
    ['streamsonly=1&sessionsonly=1', 'sessionsonly: cannot be asked for together with streamsonly'],
  ])('%s is answered with 400', async (query, sentence) => {
    expect(await api.ask('GET', `/stream?${query}`)).toMatchObject({ status: 400, body: { errors: [sentence] } });
  });
});

describe('sessions', () => {
  test('GET /stream/{id}/sessions answers a bare array, newest first; unknown ids are 404', async () => {
    const [one, two] = [await create({ name: 'one' }), await create({ name: 'two' })];
    const first = api.store.ledger.beginSession(one.id, 1);
    api.store.ledger.endSession(first.id, 2, 'stopped');
    const second = api.store.ledger.beginSession(one.id, 3);
    const other = api.store.ledger.beginSession(two.id, 4);
    const ids = async (path: string) => ((await api.ask('GET', path)).body as { id: string }[]).map(({ id }) => id);
    expect(await ids(`/stream/${one.id}/sessions`)).toEqual([second.id, first.id]);
    expect(await ids(`/stream/${one.id}/sessions?record=1`)).toEqual([]);
    expect(await ids('/session')).toEqual([other.id, second.id, first.id]);
    expect(await api.ask('GET', `/session/${first.id}`)).toMatchObject({
      status: 200,
      body: { id: first.id, parentId: one.id },
    });
    expect((await api.ask('GET', `/session/${one.id}`)).status).toBe(404);
    expect((await api.ask('GET', `/stream/${unknownId}/sessions`)).status).toBe(404);
  });
});

describe('PATCH /stream/{id}', () => {
  test('answers 204 without a body, and changes what was named', async () => {
    const stream = await create({ name: 'a', profiles: [profile] });
    const changes = {
      name: 'b',
      profiles: [],
      record: true,
      suspended: false,
      multistream: { targets: [{ id: 't', profile: 'source', videoOnly: true }] },
    };
    for (const [name, value] of Object.entries(changes)) {
      expect(await api.ask('PATCH', `/stream/${stream.id}`, { [name]: value })).toMatchObject({ status: 204, body: undefined });
    }
    expect((await api.ask('GET', `/stream/${stream.id}`)).body).toEqual({ ...stream, ...changes });
  });

  test.each(['profiles', 'record'])('%s of an active stream is 400; a name and suspension are not', async (name) => {
    const { id } = await create();
    api.store.ledger.beginSession(id, api.store.clock.time);
    const value = name === 'record' ? true : [profile];
    expect(await api.ask('PATCH', `/stream/${id}`, { [name]: value })).toMatchObject({
      status: 400,
      body: { errors: ['Profiles and recording cannot change while the stream is on air: stop it first.'] },
    });
    expect((await api.ask('PATCH', `/stream/${id}`, { name: 'b' })).status).toBe(204);
  });

  test('suspending cuts the running broadcast and refuses the key', async () => {
    const { id, streamKey } = await create();
    expect((await api.ask('PATCH', `/stream/${id}`, { suspended: true })).status).toBe(204);
    expect(api.store.live.ended).toEqual([{ streamId: id, reason: 'suspended' }]);
    expect(api.store.streams.findByStreamKey(streamKey)).toEqual({ kind: 'suspended' });
  });

  test('a session object is 400, an unknown id 404, a semantic violation 400, an unknown property or no property 422', async () => {
    const { id } = await create();
    const session = api.store.ledger.beginSession(id, 1);
    expect((await api.ask('PATCH', `/stream/${session.id}`, { name: 'b' })).status).toBe(400);
    expect((await api.ask('PATCH', `/stream/${unknownId}`, { name: 'b' })).status).toBe(404);
    expect((await api.ask('PATCH', `/stream/${id}`, { profiles: [profile, profile] })).status).toBe(400);
    expect((await api.ask('PATCH', `/stream/${id}`, { other: 1 })).status).toBe(422);
    expect(await api.ask('PATCH', `/stream/${id}`, {})).toMatchObject({
      status: 422,
      body: { errors: ['body: must name at least one property to change'] },
    });
  });
});

describe('DELETE', () => {
  test('a stream is cut and gone: its key refused, again and any GET 404, also of its sessions', async () => {
    const { id, streamKey, playbackId } = await create();
    const session = api.store.ledger.beginSession(id, api.store.clock.time);
    expect(await api.ask('DELETE', `/stream/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(api.store.live.ended).toEqual([{ streamId: id, reason: 'deleted' }]);
    for (const path of [`/stream/${id}`, `/stream/${id}/sessions`, `/stream/${session.id}`, `/session/${session.id}`]) {
      expect((await api.ask('GET', path)).status).toBe(404);
    }
    expect((await api.ask('DELETE', `/stream/${id}`)).status).toBe(404);
    expect((await api.ask('DELETE', `/stream/${id}/terminate`)).status).toBe(404);
    expect((await api.ask('PATCH', `/stream/${id}`, { name: 'b' })).status).toBe(404);
    expect((await api.ask('GET', '/stream')).body).toEqual([]);
    expect((await api.ask('GET', '/session')).body).toEqual([]);
    expect(api.store.streams.findByStreamKey(streamKey)).toEqual({ kind: 'unknown' });
    expect(api.store.streams.findByPlaybackId(playbackId)).toBeUndefined();
  });

  test('a body-less DELETE that names a content type is taken; a session is 400', async () => {
    const { id } = await create();
    const session = api.store.ledger.beginSession(id, 1);
    expect((await api.ask('DELETE', `/stream/${session.id}`)).status).toBe(400);
    expect((await api.ask('DELETE', `/stream/${session.id}/terminate`)).status).toBe(400);
    const type = { 'content-type': 'application/json' };
    expect((await api.ask('DELETE', `/stream/${id}`, undefined, type)).status).toBe(204);
  });

  test('terminate cuts, the stream stays usable; again within 5 s is 429', async () => {
    const { id, streamKey } = await create();
    const terminate = () => api.ask('DELETE', `/stream/${id}/terminate`);
    expect(await terminate()).toMatchObject({ status: 204, body: undefined });
    expect(api.store.live.ended).toEqual([{ streamId: id, reason: 'terminated' }]);
    expect(api.store.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'found' });
    api.store.clock.time += 4_999;
    expect(await terminate()).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    api.store.clock.time += 1;
    expect((await terminate()).status).toBe(204);
  });
});

describe('GET /ingest', () => {
  const pair = { ingest: 'rtmp://127.0.0.1:1935/live', playback: 'http://127.0.0.1:4600/hls' };

  test.each([
    ['', [pair]],
    ['?first=true', [pair]],
    ['?first=1', [pair]],
    ['?first=', [pair]],
    ['?first=FALSE', [pair]],
    ['?first=false', [{ ...pair, base: 'http://127.0.0.1:4600' }]],
  ])('needs no key; %j is answered by itself, whatever was asked before', async (query, expected) => {
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
  test.each(['', 'Bearer', 'Bearer ', 'Bearer tl_wrong', 'Basic dXNlcjpwYXNz', 'Bearer a b'])(
    '%j is 401 on every call',
    async (authorization) => {
      const { id } = await create();
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
        // Whatever is wrong besides: the answer is the same.
        const answer = await api.ask(method, path, method === 'POST' ? '{' : undefined, { authorization });
        expect(answer).toMatchObject({
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
          body: { errors: [expect.any(String)] },
        });
      }
    },
  );

  test('the scheme is read in any case; a revoked key is refused at once', async () => {
    const { secret, apiKey } = api.store.apiKeys.create('other');
    const ask = () => api.ask('GET', '/stream', undefined, { authorization: `bEARER ${secret}` });
    expect((await ask()).status).toBe(200);
    api.store.apiKeys.revoke(apiKey.id);
    expect((await ask()).status).toBe(401);
  });
});

describe('unknown paths and methods', () => {
  test.each([
    ['GET', '/nothing', 404, undefined],
    ['POST', '/stream/x/y/z', 404, undefined],
    ['PUT', '/stream', 405, 'GET, HEAD, POST'],
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

test('a fault of ours is 500 with an error id that the log bears too, and no stack', async () => {
  const { id } = await create();
  api.store.db.exec('ALTER TABLE stream RENAME TO gone');
  const { status, body } = await api.ask('GET', `/stream/${id}`);
  expect(status).toBe(500);
  const [, errorId] = /error id ([0-9a-f-]{36})\.$/.exec((body as { errors: string[] }).errors.join()) ?? [];
  expect(body).toEqual({ errors: [`Something went wrong in Tallylight; the log has more under error id ${errorId}.`] });
  expect(api.lines).toEqual([expect.objectContaining({ errorId, msg: 'A request failed by a fault of ours.' })]);
});

test('while the store cannot be written, what changes it is 503, nothing is half made, and reads are answered', async () => {
  const stream = await create();
  await api.ask('GET', `/stream/${stream.id}`);
  api.store.db.exec('PRAGMA query_only = ON');
  const refusal = { status: 503, body: { errors: ['The store cannot be written: is the disk full or read-only?'] } };
  expect(await api.ask('POST', '/stream', { name: 'a' })).toMatchObject(refusal);
  expect(await api.ask('PATCH', `/stream/${stream.id}`, { name: 'b' })).toMatchObject(refusal);
  expect(await api.ask('DELETE', `/stream/${stream.id}`)).toMatchObject(refusal);
  expect(await api.ask('GET', '/stream')).toMatchObject({ status: 200, body: [stream] });
  expect(api.store.live.ended).toEqual([]);
  api.store.db.exec('PRAGMA query_only = OFF');
  expect((await api.ask('DELETE', `/stream/${stream.id}`)).status).toBe(204);
});
