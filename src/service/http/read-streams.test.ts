import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiStand, openApiStand, someProfile, unknownId } from '../../../test/support/api-stand.ts';

let api: ApiStand;
beforeEach(async () => {
  api = await openApiStand();
});
afterEach(() => api.close());

describe('GET /stream/{id}', () => {
  test('answers the complete object, including stream key and playback id', async () => {
    const stream = await api.create({ name: 'a', profiles: [someProfile] });
    expect(await api.ask('GET', `/stream/${stream.id}`)).toMatchObject({ status: 200, body: stream });
  });

  test('also answers session objects, without a stream key', async () => {
    const stream = await api.create();
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
    for (let count = 1; count <= 25; count++) await api.create({ name: `s${count}` });
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

  test('each stream has its stream key, as in an answer of its own', async () => {
    const streams = [await api.create({ name: 'old' }), await api.create({ name: 'new' })];
    const { body } = await api.ask('GET', '/stream');
    const keys = (body as { streamKey?: string }[]).map(({ streamKey }) => streamKey);
    expect(keys).toEqual(streams.reverse().map(({ streamKey }) => streamKey));
    expect(new Set(keys).size).toBe(2);
  });

  test.each(['[', 'a b', 'x:99999'])('a Host of %j is 400 if a Link would contain it', async (host) => {
    await api.create({ name: 'old' });
    await api.create({ name: 'new' });
    expect(await api.ask('GET', '/stream?limit=1', undefined, { host })).toMatchObject({
      status: 400,
      body: { errors: ['The Host header is not a valid host.'] },
    });
  });

  test.each([
    // A proxy with HTTPS, which passes on the requested host, or sends the name of its upstream.
    ['ber-cdn.live.example.com', 'https://ber-cdn.live.example.com'],
    ['tallylight:4600', 'https://ber-cdn.live.example.com'],
    // A program on this computer, which the domain's names may not lead to yet.
    ['127.0.0.1:4600', 'http://127.0.0.1:4600'],
  ])('with a service domain, the Link of a caller that asked %s leads to %s', async (host, origin) => {
    await using behind = await openApiStand({ serviceDomain: 'live.example.com' });
    await behind.create({ name: 'old' });
    await behind.create({ name: 'new' });
    const { headers } = await behind.ask('GET', '/stream?limit=1&streamsonly=1', undefined, { host });
    const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link)) ?? [];
    expect(url.startsWith(`${origin}/api/stream?limit=1&streamsonly=1&cursor=c`)).toBe(true);
    const { pathname, search } = new URL(url);
    expect(names((await behind.ask('GET', pathname.slice('/api'.length) + search, undefined, { host })).body)).toEqual(['old']);
  });

  test('limits 1 and 1000 are accepted, and kept in the Link', async () => {
    await api.create({ name: 'old' });
    await api.create({ name: 'new' });
    const one = await api.ask('GET', '/stream?limit=1');
    expect(names(one.body)).toEqual(['new']);
    expect(one.headers.link).toContain('limit=1&cursor=');
    expect(names((await api.ask('GET', '/stream?limit=1000')).body)).toEqual(['new', 'old']);
  });

  test('each page of a list leads to the next one, with one cursor', async () => {
    for (const name of ['a', 'b', 'c']) await api.create({ name });
    const pages: { names: unknown; cursors: number }[] = [];
    let path: string | undefined = '/stream?limit=1';
    while (path !== undefined) {
      const { body, headers } = await api.ask('GET', path);
      const [, url] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link)) ?? [];
      const { pathname, search, searchParams } = new URL(url ?? 'http://localhost');
      pages.push({ names: names(body), cursors: searchParams.getAll('cursor').length });
      path = url && pathname.slice('/api'.length) + search;
    }
    expect(pages).toEqual([
      { names: ['c'], cursors: 1 },
      { names: ['b'], cursors: 1 },
      { names: ['a'], cursors: 0 },
    ]);
  });

  test('streamsonly, sessionsonly and active filter the list', async () => {
    await api.create({ name: 'quiet' });
    const { id } = await api.create({ name: 'live' });
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
    ['cursor=x', 'cursor: must come from a Link header'],
    ['cursor=', 'cursor: must come from a Link header'],
    ['cursor=c1&cursor=c2', 'cursor: must be given once'],
    ['active=yes', 'active: must be 1 or 0'],
    ['streamsonly=2', 'streamsonly: must be 1 or 0'],
    ['sessionsonly=', 'sessionsonly: must be 1 or 0'],
    ['streamsonly=1&sessionsonly=1', 'sessionsonly: cannot be combined with streamsonly'],
  ])('%s is answered with 400', async (query, sentence) => {
    expect(await api.ask('GET', `/stream?${query}`)).toMatchObject({ status: 400, body: { errors: [sentence] } });
  });
});

describe('sessions', () => {
  test('GET /stream/{id}/sessions answers a bare array, newest first; unknown ids are 404', async () => {
    const [one, two] = [await api.create({ name: 'one' }), await api.create({ name: 'two' })];
    const first = api.store.ledger.beginSession(one.id, 1);
    api.store.ledger.endSession(first.id, 2, { reason: 'stopped' });
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
