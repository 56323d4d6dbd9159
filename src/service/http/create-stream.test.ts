import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiStand, openApiStand, someProfile } from '../../../test/support/api-stand.ts';

let api: ApiStand;
beforeAll(async () => {
  api = await openApiStand();
});
afterAll(() => api.close());

const listStreams = async () => (await api.ask('GET', '/stream?limit=1000')).body;

describe('POST /stream', () => {
  test('answers 201 and the complete object', async () => {
    const { status, body, headers } = await api.ask('POST', '/stream', { name: 'Sunday show', profiles: [someProfile] });
    expect(status).toBe(201);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'Sunday show',
      profiles: [someProfile],
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

  test('returns profiles as they were sent: absent, empty, or with a bitrate in kbit/s', async () => {
    expect(await api.create()).not.toHaveProperty('profiles');
    expect(await api.create({ name: 'a', profiles: [] })).toMatchObject({ profiles: [] });
    expect(await api.create({ name: 'a', profiles: [{ ...someProfile, bitrate: 3000 }] })).toMatchObject({
      profiles: [{ bitrate: 3000 }],
    });
  });

  test('accepts two streams of the same name, with different ids, keys and playback ids', async () => {
    const [one, two] = [await api.create(), await api.create()];
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
      ['name: must not contain a lone surrogate', 'profiles[0].name: must not contain a lone surrogate'],
    ],
    [{ name: 'a', profiles: null }, 422, ['profiles: must be an array']],
    [
      { name: 'a', profiles: [{}] },
      422,
      ['name', 'bitrate', 'fps', 'width', 'height'].map((key) => `profiles[0].${key}: is required`),
    ],
    [
      { name: 'a', profiles: [{ ...someProfile, width: 127, fps: 0.5 }] },
      422,
      ['profiles[0].fps: must be a whole number', 'profiles[0].width: must be at least 128'],
    ],
    [{ name: 'a', profiles: [someProfile, { ...someProfile, gop: '2' }] }, 422, ['profiles[1].gop: cannot be set here']],
    [{ name: 'a', 'odd key': 1 }, 422, ['["odd key"]: cannot be set here']],
    [
      { name: 'a', profiles: [someProfile, { ...someProfile, name: '480p', fps: 25 }] },
      422,
      ['profiles[1].fps: must be 30, as in the first profile: all profiles of a stream share one fps'],
    ],
    [{ name: 'a', profiles: [someProfile, someProfile] }, 400, ['profiles[1].name: "720p" is already used by another profile']],
    [
      { name: 'a', profiles: [{ ...someProfile, name: 'Source' }] },
      400,
      ['profiles[0].name: "source" is reserved for the source rendition'],
    ],
    ['{"name":', 400, ['The body is not valid JSON.']],
    ['', 400, ['The body is empty; JSON is required.']],
    ['{"name":"a","__proto__":{"id":"x"}}', 422, ['__proto__: cannot be set here']],
    ['{"name":"a","constructor":{"prototype":{}}}', 422, ['constructor: cannot be set here']],
    ['{"__proto__":{"name":"a"}}', 422, ['name: is required', '__proto__: cannot be set here']],
    [`{"name":${'['.repeat(33)}${']'.repeat(33)}}`, 400, ['The body is nested more than 32 levels deep.']],
    [`${'[{"a":'.repeat(50_000)}`, 400, ['The body is nested more than 32 levels deep.']],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400, ['The body is not UTF-8.']],
    [`"${'a'.repeat(1024 * 1024)}"`, 413, ['The body is larger than 1 MiB.']],
  ])('%j is answered with its violations, and nothing is created', async (body, status, errors) => {
    const before = await listStreams();
    expect(await api.ask('POST', '/stream', body)).toMatchObject({ status, body: { errors } });
    expect(await listStreams()).toEqual(before);
  });

  test.each([
    ['levels down to 32', `{"name":${'['.repeat(31)}${']'.repeat(31)}}`, 422, ['name: must be a string']],
    ['brackets within text', JSON.stringify({ name: '['.repeat(33) }), 201, undefined],
    ['brackets after an escaped quote', JSON.stringify({ name: `"${'{'.repeat(33)}` }), 201, undefined],
    [
      'no closing bracket within text against an open one',
      `{"name":"${']'.repeat(9)}","a":${'['.repeat(33)}${']'.repeat(33)}}`,
      400,
      ['The body is nested more than 32 levels deep.'],
    ],
  ])('the levels of a body count %s', async (_what, body, status, errors) => {
    const answer = await api.ask('POST', '/stream', body);
    expect({ status: answer.status, errors: (answer.body as { errors?: string[] }).errors }).toEqual({ status, errors });
  });

  test('what only PATCH sets is refused, without the claim that nothing sets it', async () => {
    const later = { record: true, suspended: true, multistream: { targets: [] } };
    expect(await api.ask('POST', '/stream', { name: 'a', ...later })).toMatchObject({
      status: 422,
      body: { errors: Object.keys(later).map((name) => `${name}: cannot be set here`) },
    });
    const { id } = await api.create();
    expect(await api.ask('PATCH', `/stream/${id}`, later)).toMatchObject({ status: 204 });
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
  ])('the server-assigned %s cannot be set by POST or PATCH', async (name) => {
    const errors = [`${name}: cannot be set here`];
    expect(await api.ask('POST', '/stream', { name: 'a', [name]: 'x' })).toMatchObject({ status: 422, body: { errors } });
    const { id } = await api.create();
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
    const before = await listStreams();
    const answer = await api.ask('POST', '/stream', '{"name":"a"}', { 'content-type': type });
    expect(answer).toMatchObject({
      status: 415,
      body: { errors: ['The body must be JSON. Send "Content-Type: application/json".'] },
    });
    expect(await listStreams()).toEqual(before);
  });

  test('a missing or compressed body is answered with 415; a charset is accepted', async () => {
    expect((await api.ask('POST', '/stream')).status).toBe(415);
    expect((await api.ask('POST', '/stream', '{"name":"a"}', { 'content-encoding': 'gzip' })).status).toBe(415);
    const charset = { 'content-type': 'application/json; charset=UTF-8' };
    expect((await api.ask('POST', '/stream', '{"name":"a"}', charset)).status).toBe(201);
  });

  test('a body with very many violations is answered with the first hundred', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`key${index}`, index]));
    const { status, body } = await api.ask('POST', '/stream', { name: 'a', ...unknown });
    expect(status).toBe(422);
    const { errors } = body as { errors: string[] };
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toBe('and 4901 more');
  });
});
