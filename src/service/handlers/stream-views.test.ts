import { expect, test } from 'vitest';
import { drawVerdict } from '../health/verdict.ts';
import { SleepWatch } from '../lib/sleep-watch.ts';
import { offAirFacts } from '../session/live-facts.ts';
import type { Streams } from '../streams/streams.ts';
import { StreamViews, type ViewSources } from './stream-views.ts';

test('the verdict of a stream is drawn without reading the store', () => {
  const streams = new Proxy({} as Streams, {
    get: (_, name) => {
      throw new Error(`The store was asked for ${String(name)}.`);
    },
  });
  const since = 1_700_000_000_000;
  const clock = { now: () => since, monotonicMs: () => 0 };
  const views = new StreamViews({
    routes: { view: () => undefined, air: () => undefined },
    streams,
    registry: {
      findLive: () => ({ facts: () => ({ ...offAirFacts, air: { kind: 'on-air', since, sessionId: 'any' } }) }),
      areTakingTurns: () => false,
    } as unknown as ViewSources['registry'],
    oneClicks: { state: () => ({ kind: 'idle' }) } as unknown as ViewSources['oneClicks'],
    choices: { find: () => undefined, save: () => {} },
    playReports: { rest: () => {}, of: () => [] } as unknown as ViewSources['playReports'],
    sleepWatch: new SleepWatch(clock),
    clock,
  });
  expect(drawVerdict(views.facts('any'))).toMatchObject({ severity: expect.any(String) });
  expect(() => views.live('any')).toThrow('The store was asked for');
});
