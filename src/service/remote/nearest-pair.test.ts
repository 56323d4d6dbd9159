import { expect, test } from 'vitest';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import { NearestPair } from './nearest-pair.ts';
import type { Remote } from './remote-services.ts';

const pairOf = (region: string): IngestPair => ({
  ingest: `rtmps://${region}-rtmp.example.com/live`,
  playback: `https://${region}-cdn.example.com/hls`,
});

test('a pair to show is kept for 10 minutes; after that the service is asked again', async () => {
  let nowMs = 0;
  let asked = 0;
  const remote = {
    kept: { baseUrl: 'https://live.example.com' },
    api: {
      findNearestPair: async () => {
        asked += 1;
        return pairOf(`region-${asked}`);
      },
    },
  } as unknown as Remote;
  const nearest = new NearestPair({
    remote: () => remote,
    remotes: { readPairs: async () => [] },
    meter: { known: async () => {}, find: () => undefined },
    clock: { monotonicMs: () => nowMs },
  });
  const found: IngestPair[] = [];
  for (nowMs of [0, 599_999, 600_000, 1_199_999]) found.push(await nearest.find());
  expect(found).toEqual(['region-1', 'region-1', 'region-2', 'region-2'].map(pairOf));
});

test('a region that the address before answers after the service has moved is not used', async () => {
  const old = Promise.withResolvers<IngestPair>();
  const at = (baseUrl: string, answer: Promise<IngestPair>) =>
    ({ kept: { baseUrl }, api: { findNearestPair: () => answer } }) as unknown as Remote;
  let remote = at('https://old.example.com', old.promise);
  const nearest = new NearestPair({
    remote: () => remote,
    remotes: { readPairs: async () => [] },
    meter: { known: async () => {}, find: () => undefined },
    clock: { monotonicMs: () => 0 },
  });
  const found = nearest.find();
  remote = at('https://new.example.com', Promise.resolve(pairOf('lon')));
  old.resolve(pairOf('ber'));
  expect(await found).toEqual(pairOf('lon'));
  expect(nearest.last).toEqual(pairOf('lon'));
});

test('a region that the service chose before Go live measured another is not used', async () => {
  const chosen = Promise.withResolvers<IngestPair>();
  const [fra, lon] = [pairOf('fra'), pairOf('lon')];
  const remote = {
    kept: { baseUrl: 'https://live.example.com' },
    api: { findNearestPair: () => chosen.promise },
  } as unknown as Remote;
  const nearest = new NearestPair({
    remote: () => remote,
    remotes: { readPairs: async () => [fra, lon] },
    meter: {
      known: async () => {},
      find: (ingest) => ({ kind: 'reached', ms: ingest === lon.ingest ? 10 : 20, measuredAt: 0 }),
    },
    clock: { monotonicMs: () => 0 },
  });
  const found = nearest.find();
  expect(await nearest.choose()).toEqual(lon);
  chosen.resolve(fra);
  expect(await found).toEqual(lon);
  expect(nearest.last).toEqual(lon);
});
