import { expect, test } from 'vitest';
import { encodePresets } from '../../shared/model/encode-settings.ts';
import type { AirState } from '../../shared/model/live.ts';
import { testSource } from '../../shared/model/source.ts';
import { drawVerdict } from '../health/verdict.ts';
import { SleepWatch } from '../lib/sleep-watch.ts';
import { type LiveFacts, offAirFacts } from '../session/live-facts.ts';
import type { Streams } from '../streams/streams.ts';
import { StreamViews, type ViewSources } from './stream-views.ts';

const since = 1_700_000_000_000;
const now = since + 60_000;
const clock = { now: () => now, monotonicMs: () => 60_000 };

/** The views of a stream, of which only these sources exist. */
function createViews(sources: { [Name in keyof ViewSources]?: unknown }) {
  return new StreamViews({
    routes: { view: () => undefined, air: () => undefined, moving: () => undefined, lost: () => undefined },
    streams: {},
    registry: { findLive: () => undefined, areTakingTurns: () => false },
    oneClicks: { state: () => ({ kind: 'idle' }) },
    choices: { find: () => undefined, save: () => {} },
    playReports: { rest: () => {}, ignoreStalls: () => {}, of: () => [] },
    silences: { holds: () => false },
    sleepWatch: new SleepWatch(clock),
    clock,
    ...sources,
  } as unknown as ViewSources);
}

const running = {
  kind: 'running',
  source: testSource,
  settings: encodePresets['720p30'],
  away: [],
  queueMs: 0,
  droppedFrames: 0,
  since,
  steadySince: since,
};
/** Routes by which every broadcast is on air in another region. */
const inNewYork = {
  view: () => undefined,
  air: () => ({ kind: 'on-air', since, sessionId: 'jfk-1' }),
  moving: () => undefined,
  lost: () => undefined,
};

/** A registry in which every stream is on air. */
const onAir = (facts: Partial<LiveFacts> = {}) => ({
  findLive: () => ({ facts: () => ({ ...offAirFacts, air: { kind: 'on-air', since, sessionId: 'any' }, ...facts }) }),
  areTakingTurns: () => false,
});

test('the verdict of a stream is drawn without reading the store', () => {
  const streams = new Proxy({} as Streams, {
    get: (_, name) => {
      throw new Error(`The store was asked for ${String(name)}.`);
    },
  });
  const views = createViews({ streams, registry: onAir() });
  expect(drawVerdict(views.facts('any'))).toMatchObject({ severity: expect.any(String) });
  expect(() => views.live('any')).toThrow('The store was asked for');
});

test('the list says how bad the verdict on a broadcast is, as its own view does', () => {
  const views = (facts: Partial<LiveFacts>, pages: unknown[] = []) => {
    const { findLive } = onAir(facts);
    const live = findLive();
    return createViews({
      streams: {
        getKeyless: () => ({ id: 'any' }),
        listKeyless: () => [{ id: 'any' }],
        listSessions: () => ({ items: [] }),
        ends: { findLost: () => undefined },
      },
      registry: {
        findLive: () => ({ ...live, ...live.facts(), log: { lines: [] } }),
        areTakingTurns: () => false,
        listRefusals: () => [],
      },
      playReports: { rest: () => {}, ignoreStalls: () => {}, of: () => pages },
    });
  };
  const failed = { state: 'failed', stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 0 };
  const page = { pageId: 'a page', report: failed, recent: failed, isStarted: true, isSettled: true };
  const severities = [views({}), views({}, [page]), views({ air: { kind: 'off-air' } }, [page])].map((each) => [
    each.all()[0]?.severity,
    each.one('any').severity,
    each.live('any').stream.severity,
    each.live('any').verdict?.severity,
  ]);
  expect(severities).toEqual([
    [undefined, undefined, undefined, 'good'],
    ['bad', 'bad', 'bad', 'bad'],
    [undefined, undefined, undefined, undefined],
  ]);
});

test('the sound of a broadcast that goes to another region is judged by what is sent', () => {
  const views = createViews({
    routes: inNewYork,
    oneClicks: {
      state: () => running,
      soundMeter: () => ({ heardMs: 0, judge: () => [{ code: 'one-sided', severity: 'warn', without: 'left' }] }),
    },
  });
  expect(drawVerdict(views.facts('any'))).toEqual({ code: 'one-sided', severity: 'warn', stage: 'capture', without: 'left' });
});

test('the meters of a broadcast that goes to another region are those of what is sent', () => {
  const views = createViews({
    routes: inNewYork,
    streams: {
      getKeyless: () => ({ id: 'any' }),
      listSessions: () => ({ items: [] }),
      ends: { findLost: () => undefined },
    },
    registry: { findLive: () => undefined, areTakingTurns: () => false, listRefusals: () => [] },
    oneClicks: {
      state: () => ({ ...running, kind: 'retrying' }),
      soundMeter: () => undefined,
      sentMeters: () => ({ measuredAt: now - 12_000 }),
    },
  });
  expect(views.live('any').meters).toEqual({ measuredAt: now - 12_000 });
});

/** The calls to the monitors' reports when the facts are read. */
function callsBy(sources: { [Name in keyof ViewSources]?: unknown }) {
  const calls: string[] = [];
  const playReports = { rest: () => calls.push('rest'), ignoreStalls: () => calls.push('ignoreStalls'), of: () => [] };
  createViews({ playReports, ...sources }).facts('any');
  return calls;
}

test('stalls of what goes to another region count only once it has been sent steadily for longer than players are behind', () => {
  const callsWith = (change: object, air = {}) =>
    callsBy({
      routes: { ...inNewYork, air: () => ({ ...inNewYork.air(), ...air }) },
      oneClicks: { state: () => ({ ...running, ...change }), soundMeter: () => undefined },
    });
  expect(callsWith({ steadySince: now - 19_999 })).toEqual(['ignoreStalls']);
  expect(callsWith({ steadySince: now - 20_000 })).toEqual([]);
  expect(callsWith({}, { since: now - 19_999 })).toEqual(['ignoreStalls']);
  expect(callsWith({}, { unseenSince: now - 12_000 })).toEqual(['rest']);
});

test('stalls that monitors report count only once media has arrived for a while without a pause; nothing counts while none arrives', () => {
  const callsWith = (facts: Partial<LiveFacts>) => callsBy({ registry: onAir(facts) });
  const steady = [undefined, now, now - 2_400, now - 2_600].map((steadySince) => callsWith({ steadySince }));
  expect(steady).toEqual([['ignoreStalls'], ['ignoreStalls'], ['ignoreStalls'], []]);
  const silent = { kind: 'on-air', since, sessionId: 'any', silentSince: now - 3_000 } as const;
  expect(callsWith({ air: silent })).toEqual(['rest']);
});

test('a broadcast that viewers had in another region is lost, not off air, until it is on air here', () => {
  const moving = { kind: 'reconnecting', since, sessionId: 'jfk-1', lostAt: now - 4_000 } as const;
  const views = (here: AirState, oneClick: object) =>
    createViews({
      routes: { view: () => undefined, air: () => undefined, moving: () => moving, lost: () => undefined },
      registry: {
        findLive: () => ({ facts: () => ({ ...offAirFacts, air: here }) }),
        areTakingTurns: () => false,
      },
      oneClicks: { state: () => oneClick },
    }).facts('any');
  const retrying = views({ kind: 'off-air' }, { ...running, kind: 'retrying' });
  expect([retrying.air, drawVerdict(retrying)]).toEqual([moving, { code: 'ingest-retry', severity: 'bad', hasBeenLive: true }]);
  expect(views({ kind: 'off-air' }, running).air).toEqual(moving);
  const back = views({ kind: 'connecting', since: now }, running);
  expect([back.air, drawVerdict(back)?.code]).toEqual([{ ...moving, back: 'sending' }, 'encoder-back']);
  const onAirHere = { kind: 'on-air', since: now, sessionId: 'ber-1' } as const;
  expect(views(onAirHere, running).air).toEqual(onAirHere);
});

test('a broadcast lost before the one that is retrying is marked as earlier', () => {
  const view = (endedAt: number, oneClick: object) =>
    createViews({
      streams: {
        getKeyless: () => ({ id: 'any' }),
        ends: { findLost: () => 'lost', find: () => ({ sessionId: 'lost', at: endedAt }) },
      },
      oneClicks: { state: () => oneClick },
    }).one('any');
  const retrying = { ...running, kind: 'retrying' };
  const lost = { sessionId: 'lost', endedAt: since - 1 };
  expect(view(since - 1, retrying).lost).toEqual({ ...lost, isEarlier: true });
  expect(view(since + 1, retrying).lost).toEqual({ ...lost, endedAt: since + 1 });
  expect(view(since - 1, { kind: 'idle' }).lost).toEqual(lost);
});
