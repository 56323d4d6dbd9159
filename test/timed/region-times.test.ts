import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import { listReachable } from '../../src/service/regions/list-reachable.ts';
import { RegionMeter } from '../../src/service/regions/region-meter.ts';
import { startDeadAddress } from '../support/dead-address.ts';
import { startIngestStand } from '../support/ingest-stand.ts';

test('a far region is behind a near one, and one that never answers is known as such within the limit', async () => {
  await using near = await startIngestStand();
  const { port } = near.server;
  await using far = await startDeadAddress('127.0.0.2', port, { queued: 16 });
  await using _gone = await startDeadAddress('127.0.0.3', port);
  const meter = new RegionMeter({ clock: createSystemClock(), limitMs: 5_000 });
  onTestFinished(() => meter.close());
  const regions = ['127.0.0.3', '127.0.0.2', '127.0.0.1'].map((host) => `rtmp://${host}:${port}/live`);
  const [goneUrl = '', farUrl = '', nearUrl = ''] = regions;

  const startedMs = performance.now();
  const known = meter.known(regions);
  expect(regions.map((url) => [meter.isMeasuring(url), meter.find(url)])).toEqual(regions.map(() => [true, undefined]));
  await meter.known([nearUrl]);
  far.revive();
  await known;
  const tookMs = performance.now() - startedMs;

  expect(listReachable(regions, (url) => meter.find(url))).toEqual([nearUrl, farUrl]);
  expect(meter.find(goneUrl)).toEqual({
    kind: 'failed',
    failure: { code: 'timed-out', during: 'connect', afterMs: 5_000 },
    measuredAt: expect.any(Number),
  });
  const farTime = meter.find(farUrl);
  // Its packets were dropped once, and the system sends them again after a second.
  expect(farTime?.kind === 'reached' && farTime.ms).toBeGreaterThan(900);
  expect(tookMs).toBeGreaterThan(4_900);
  // The ingest was asked for nothing, and refused nobody.
  expect([near.askedKeys, near.unheard]).toEqual([[], []]);
});
