import { expect, test } from 'vitest';
import { testSource } from '../../shared/model/source.ts';
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
    routes: { view: () => undefined, air: () => undefined, lost: () => undefined },
    streams,
    registry: {
      findLive: () => ({ facts: () => ({ ...offAirFacts, air: { kind: 'on-air', since, sessionId: 'any' } }) }),
      areTakingTurns: () => false,
    } as unknown as ViewSources['registry'],
    oneClicks: { state: () => ({ kind: 'idle' }) } as unknown as ViewSources['oneClicks'],
    choices: { find: () => undefined, save: () => {} },
    playReports: { rest: () => {}, of: () => [] } as unknown as ViewSources['playReports'],
    silences: { holds: () => false },
    sleepWatch: new SleepWatch(clock),
    clock,
  });
  expect(drawVerdict(views.facts('any'))).toMatchObject({ severity: expect.any(String) });
  expect(() => views.live('any')).toThrow('The store was asked for');
});

test('the sound of a broadcast that goes to another region is judged by what is sent', () => {
  const since = 1_700_000_000_000;
  const clock = { now: () => since + 60_000, monotonicMs: () => 60_000 };
  const state = { kind: 'running', source: testSource, away: [], queueMs: 0, droppedFrames: 0, since };
  const views = new StreamViews({
    routes: { view: () => undefined, air: () => ({ kind: 'on-air', since, sessionId: 'jfk-1' }), lost: () => undefined },
    streams: {} as Streams,
    registry: { findLive: () => undefined, areTakingTurns: () => false } as unknown as ViewSources['registry'],
    oneClicks: {
      state: () => state,
      soundMeter: () => ({ heardMs: 0, judge: () => [{ code: 'one-sided', severity: 'warn', without: 'left' }] }),
    } as unknown as ViewSources['oneClicks'],
    choices: { find: () => undefined, save: () => {} },
    playReports: { rest: () => {}, of: () => [] } as unknown as ViewSources['playReports'],
    silences: { holds: () => false },
    sleepWatch: new SleepWatch(clock),
    clock,
  });
  expect(drawVerdict(views.facts('any'))).toEqual({ code: 'one-sided', severity: 'warn', stage: 'capture', without: 'left' });
});
