import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Answer, startOddService } from '../../../test/support/odd-service.ts';
import { RemoteApi } from './remote-api.ts';

test("how far the service's clock is ahead comes from its dates; under 2 s is nothing, and so is a change under 2 s", async () => {
  const nowMs = 1_700_000_000_000;
  let aheadSeconds: number | undefined;
  await using service = await startOddService((_asked, response) => {
    response.sendDate = false;
    const date = aheadSeconds !== undefined && new Date(nowMs + aheadSeconds * 1000).toUTCString();
    return { json: [], ...(date !== false && { headers: { date } }) };
  });
  const api = new RemoteApi({
    baseUrl: service.baseUrl,
    findKey: () => 'key',
    clock: { now: () => nowMs, monotonicMs: () => 0 },
    signal: new AbortController().signal,
  });
  const ahead: [number | undefined, number][] = [];
  for (const seconds of [undefined, 1, 3_600, 3_601, 3_602, undefined, 0, -3, -2, -1]) {
    aheadSeconds = seconds;
    await api.checkKey();
    ahead.push([seconds, api.clockAheadMs]);
  }
  // A date is half a second old on average.
  expect(ahead).toEqual([
    [undefined, 0],
    [1, 0],
    [3_600, 3_600_500],
    [3_601, 3_600_500],
    [3_602, 3_602_500],
    [undefined, 3_602_500],
    [0, 0],
    [-3, -2_500],
    [-2, -2_500],
    [-1, 0],
  ]);
});

test.each<[string, Answer, (api: RemoteApi) => Promise<unknown>]>([
  ['answered', () => ({ json: [] }), (api) => api.checkKey()],
  ['refused', () => ({ status: 404, json: {} }), (api) => expect(api.terminate('show')).rejects.toThrow()],
])('a request that fails after a later one was %s says nothing about the service', async (_how, respond, ask) => {
  const first = Promise.withResolvers<ServerResponse>();
  await using service = await startOddService((asked, response) => {
    if (service.asked.length > 1) return respond(asked, response);
    first.resolve(response);
    return undefined;
  });
  const outcomes: unknown[] = [];
  const api = new RemoteApi({
    baseUrl: service.baseUrl,
    findKey: () => 'key',
    clock: { now: () => 0, monotonicMs: () => 0 },
    signal: new AbortController().signal,
    onOutcome: (failure) => outcomes.push(failure?.code),
  });
  const failed = expect(api.checkKey()).rejects.toMatchObject({ failure: { code: 'server-error' } });
  const response = await first.promise;
  await ask(api);
  response.writeHead(502, { 'Retry-After': '60' }).end();
  await failed;
  expect(await api.poll(async () => 'polled')).toBe('polled');
  expect(outcomes).toEqual([undefined]);
});

/** Lists the streams of a service with these pages: the ids on each, and the cursor of the next one. Returns them and what was asked. */
async function listPages(find: (cursor: string | null) => { ids: readonly string[]; next?: string }) {
  await using service = await startOddService(({ path }) => {
    const { ids, next } = find(new URL(path, 'http://localhost').searchParams.get('cursor'));
    const json = ids.map((id) => ({ id, name: id, createdAt: 1, playbackId: id, streamKey: id, isActive: false, lastSeen: 0 }));
    return { json, ...(next !== undefined && { headers: { link: `</api/stream?cursor=${next}>; rel="next"` } }) };
  });
  const clock = { now: () => 0, monotonicMs: () => 0 };
  const api = new RemoteApi({ baseUrl: service.baseUrl, findKey: () => 'key', clock, signal: new AbortController().signal });
  const listed = (await api.listStreams()).map(({ id }) => id);
  return { listed, asked: service.asked.map(({ path }) => path.replace('/api/stream?streamsonly=1&limit=100', '')) };
}

test('a list is read page by page to its end, and a stream that has moved to the next page meanwhile is listed once', async () => {
  const pages = new Map([
    [null, { ids: ['a', 'b'], next: 'second' }],
    ['second', { ids: ['b', 'c'], next: 'third' }],
    ['third', { ids: ['d'] }],
  ]);
  expect(await listPages((cursor) => pages.get(cursor) ?? { ids: [] })).toEqual({
    listed: ['a', 'b', 'c', 'd'],
    asked: ['', '&cursor=second', '&cursor=third'],
  });
});

test('a service that ignores the cursor is asked for no third page, and one with pages without end for ten', async () => {
  expect(await listPages(() => ({ ids: ['a'], next: 'again' }))).toEqual({ listed: ['a'], asked: ['', '&cursor=again'] });
  const { listed, asked } = await listPages((cursor) => ({ ids: [`from-${cursor}`], next: String(Number(cursor) + 1) }));
  expect([listed.length, asked.length, listed.at(-1)]).toEqual([10, 10, 'from-9']);
});
