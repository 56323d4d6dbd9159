import { expect, test } from 'vitest';
import { openRegionStand, ownPair, ownUrls, pairOf, threeRegions, urlsOf } from '../../../test/support/region-stand.ts';
import { createTestLog, openStoreStand } from '../../../test/support/store-stand.ts';
import { addApiRoutes } from './api-routes.ts';
import { createHttpServer } from './http-server.ts';

const own = '127.0.0.1:1935';

/** Asks a service with three regions from these addresses, one after the other. */
async function askFrom(
  addresses: readonly string[],
  query: string,
  { times = {}, host }: { times?: Readonly<Record<string, number>>; host?: string } = {},
) {
  using store = await openStoreStand();
  const app = createHttpServer({ log: createTestLog().log });
  const { regions } = openRegionStand(threeRegions, times);
  addApiRoutes(app, { streams: store.streams, apiKeys: store.apiKeys, regions, version: '1.2.3' });
  const answers: unknown[] = [];
  for (const remoteAddress of addresses) {
    // Anyone can send such a header, so it counts for nothing.
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'odd.example.com', ...(host && { host }) };
    const answer = await app.inject({ method: 'GET', url: `/api/ingest${query}`, remoteAddress, headers });
    answers.push(answer.json());
  }
  await app.close();
  return answers;
}

test('callers elsewhere get the nearest pair of their network, or else this region', async () => {
  expect(await askFrom(['198.51.100.7', '2001:db8::1', '192.0.2.1', '198.51.100.8'], '')).toEqual([
    [pairOf('10.0.0.2')],
    [pairOf('10.0.0.3')],
    [ownPair],
    [pairOf('10.0.0.2')],
  ]);
});

test('a caller on this computer gets the pair with the shortest connection', async () => {
  expect(await askFrom(['127.0.0.1', '::1'], '', { times: { [own]: 40, '10.0.0.2': 90, '10.0.0.3': 30 } })).toEqual([
    [pairOf('10.0.0.3')],
    [pairOf('10.0.0.3')],
  ]);
});

test('with first=false, everyone gets the pairs of all regions, each with its base', async () => {
  const all = [ownUrls, urlsOf('10.0.0.2'), urlsOf('10.0.0.3')];
  expect(await askFrom(['198.51.100.7', '127.0.0.1'], '?first=false', { times: { '10.0.0.3': 1 } })).toEqual([all, all]);
});

test('without a domain, a caller elsewhere gets this region at the host that it asked, one on this computer at loopback', async () => {
  const seen = { ingest: 'rtmp://tally.local:1935/live', playback: 'http://tally.local:8080/hls' };
  const here = await askFrom(['192.0.2.1', '198.51.100.7'], '', { host: 'Tally.local:8080' });
  expect(here).toEqual([[seen], [pairOf('10.0.0.2')]]);
  const [all] = await askFrom(['192.0.2.1'], '?first=false', { host: 'Tally.local:8080' });
  expect(all).toEqual([{ ...seen, base: 'http://tally.local:8080' }, urlsOf('10.0.0.2'), urlsOf('10.0.0.3')]);
  expect(await askFrom(['192.0.2.1'], '', { host: '[2001:db8::5]' })).toEqual([
    [{ ingest: 'rtmp://[2001:db8::5]:1935/live', playback: 'http://[2001:db8::5]/hls' }],
  ]);
  const times = { [own]: 1 };
  expect(await askFrom(['127.0.0.1'], '', { host: 'tally.local:8080', times })).toEqual([[ownPair]]);
});

test.each(['localhost:4600', '127.0.0.1:4600', '[::1]:4600', 'a@b', 'tally.local/x', 'tally.local?', 'tally.local:99999', '*'])(
  'a host that leads nobody here, %s, is in no answer',
  async (host) => {
    expect(await askFrom(['192.0.2.1'], '', { host })).toEqual([[ownPair]]);
  },
);
