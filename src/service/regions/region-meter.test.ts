import { expect, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import type { ConnectionResult } from './measure-connection.ts';
import { RegionMeter } from './region-meter.ts';

const refused = { code: 'connection-refused', address: 'b:1935' } as const;

/** A meter with a clock and measurements of the test's own. */
function startStage() {
  let atMs = 0;
  const asked: { ingest: string; end: (result: ConnectionResult) => void; signal: AbortSignal }[] = [];
  const meter = new RegionMeter({
    clock: { now: () => 1_000_000 + atMs, monotonicMs: () => atMs },
    measureOnce: (ingest, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<ConnectionResult>();
      asked.push({ ingest, end: resolve, signal });
      return promise;
    },
  });
  return {
    meter,
    advance: (ms: number) => {
      atMs += ms;
    },
    /** Ends all measurements, and returns the ingests that were measured. */
    async endAll(results: Readonly<Record<string, ConnectionResult>>) {
      const ended = asked.splice(0);
      for (const { ingest, end } of ended) end(results[ingest] ?? { failure: refused });
      await Promise.resolve();
      return ended.map(({ ingest }) => ingest);
    },
    asked,
  };
}

test('ingests are measured side by side, once, and the results have their time', async () => {
  const { meter, endAll } = startStage();
  const changes: boolean[] = [];
  meter.onChange(() => changes.push(meter.isMeasuring('a')));
  const known = meter.known(['a', 'b', 'a']);
  meter.measure(['b']);
  expect([meter.find('a'), meter.isMeasuring('a')]).toEqual([undefined, true]);
  expect(await endAll({ a: { ms: 12.5 } })).toEqual(['a', 'b']);
  await known;
  expect([meter.find('a'), meter.find('b'), meter.isMeasuring('a')]).toEqual([
    { kind: 'reached', ms: 12.5, measuredAt: 1_000_000 },
    { kind: 'failed', failure: refused, measuredAt: 1_000_000 },
    false,
  ]);
  expect(changes).toEqual([true, false, false]);
});

test('a time is kept for ten minutes, a failure for one, and both can be measured again at once', async () => {
  const { meter, advance, endAll } = startStage();
  meter.measure(['a', 'b']);
  await endAll({ a: { ms: 1 } });
  advance(59_999);
  meter.measure(['a', 'b']);
  expect(await endAll({})).toEqual([]);
  advance(1);
  meter.measure(['a', 'b']);
  expect(await endAll({ b: { ms: 2 } })).toEqual(['b']);
  advance(539_999);
  meter.measure(['a']);
  expect(await endAll({})).toEqual([]);
  advance(1);
  meter.measure(['a']);
  // The old time stays until there is a new one.
  expect([meter.find('a'), meter.isMeasuring('a')]).toEqual([{ kind: 'reached', ms: 1, measuredAt: 1_000_000 }, true]);
  expect(await endAll({ a: { ms: 3 } })).toEqual(['a']);
  meter.measure(['a', 'b'], { again: true });
  expect(await endAll({ a: { ms: 4 }, b: { ms: 5 } })).toEqual(['a', 'b']);
  expect(meter.find('a')).toEqual({ kind: 'reached', ms: 4, measuredAt: 1_600_000 });
});

test('32 ingests are measured at once, the others as soon as one of them ends, and all become known', async () => {
  const { meter, asked, endAll } = startStage();
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `rtmp://r${from + index}`);
  const known = meter.known(names(0, 50));
  // The ingests of another service wait, too.
  meter.measure(names(50, 64));
  expect(asked.map(({ ingest }) => ingest)).toEqual(names(0, 32));
  expect([meter.isMeasuring('rtmp://r31'), meter.isMeasuring('rtmp://r63')]).toEqual([true, true]);
  const [first] = asked.splice(0, 1);
  first?.end({ ms: 1 });
  await soon(() => expect(asked.map(({ ingest }) => ingest)).toEqual(names(1, 33)));
  expect(await endAll({})).toEqual(names(1, 33));
  await soon(() => expect(asked.map(({ ingest }) => ingest)).toEqual(names(33, 64)));
  await endAll({});
  await known;
  expect(names(0, 64).filter((ingest) => meter.find(ingest) === undefined)).toEqual([]);
});

test('closing ends measurements that run and that wait', async () => {
  const { meter, asked } = startStage();
  const known = meter.known(Array.from({ length: 64 }, (_, index) => `rtmp://r${index}`));
  const closed = meter.close();
  for (const { end } of asked) end({ failure: refused });
  await Promise.all([closed, known]);
  expect(asked).toHaveLength(32);
});

test('closing ends measurements that run, and nothing is measured after it', async () => {
  const { meter, asked, endAll } = startStage();
  meter.measure(['a']);
  const closed = meter.close();
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true]);
  await endAll({ a: { ms: 1 } });
  await closed;
  expect(meter.find('a')).toBeUndefined();
  meter.measure(['a']);
  await meter.known(['a']);
  expect(asked).toEqual([]);
});
