import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SimulatedWay, sendVideo } from '../../../test/support/simulated-way.ts';
import {
  type BitrateBounds,
  type BitrateDecision,
  type BitrateState,
  type ControlEvent,
  floorFor,
  isKept,
  provenBps,
  startBitrate,
  stepBitrate,
} from './bitrate-control.ts';

const bounds: BitrateBounds = { floorBps: 370_000, ceilingBps: 3_000_000, audioBitrateBps: 160_000 };

/** Follows events, each at its time, and returns every decision with its time. */
function follow(events: readonly (readonly [atMs: number, event: ControlEvent])[], begin = startBitrate(bounds, 0)) {
  let state = begin;
  const decisions: (BitrateDecision & { atMs: number })[] = [];
  for (const [atMs, event] of events) {
    const next = stepBitrate(state, event, atMs);
    state = next.state;
    if (next.decision) decisions.push({ atMs, ...next.decision });
  }
  return { state, decisions };
}

const measured = (queueMs: number, limitBps?: number): ControlEvent => ({ kind: 'measured', queueMs, limitBps });
const replaced: ControlEvent = { kind: 'replaced' };

/** Measures four times a second; each decision is put into effect after a second. */
function run(seconds: number, queueAt: (second: number, state: BitrateState) => ControlEvent, begin = startBitrate(bounds, 0)) {
  let state = begin;
  const decisions: string[] = [];
  for (let atMs = 0; atMs < seconds * 1000; atMs += 250) {
    if (state.pending !== undefined && atMs - state.pending.sinceMs >= 1_000) state = stepBitrate(state, replaced, atMs).state;
    const next = stepBitrate(state, queueAt(atMs / 1000, state), atMs);
    state = next.state;
    const { decision } = next;
    if (decision && decision.code !== 'at-floor')
      decisions.push(`${atMs / 1000} s: ${decision.code} to ${decision.toBps / 1000}`);
    else if (decision) decisions.push(`${atMs / 1000} s: at the floor`);
  }
  return { state, decisions };
}

test('under 200 ms nothing changes; from 200 ms the bitrate is lowered to what the way carries, less what is waiting', () => {
  expect(follow([[250, measured(199, 800_000)]]).decisions).toEqual([]);
  expect(follow([[250, measured(200, 2_000_000)]]).decisions).toEqual([
    { atMs: 250, code: 'lower', fromBps: 3_000_000, toBps: 1_460_000, queueMs: 200 },
  ]);
  // The way's limit isn't known yet.
  expect(follow([[250, measured(900)]]).decisions).toEqual([
    { atMs: 250, code: 'lower', fromBps: 3_000_000, toBps: 2_400_000, queueMs: 900 },
  ]);
});

test('the floor is an eighth of the chosen bitrate, at least 200 kbit/s unless less was chosen', () => {
  expect([3_000_000, 8_000_000, 1_000_000, 150_000].map(floorFor)).toEqual([370_000, 1_000_000, 200_000, 150_000]);
});

test('however long the queue, half of what a way carries is used', () => {
  expect(follow([[250, measured(8_000, 2_000_000)]]).decisions).toEqual([
    { atMs: 250, code: 'lower', fromBps: 3_000_000, toBps: 770_000, queueMs: 8_000 },
  ]);
});

test('nothing is decided while a new bitrate is put into effect, unless that takes 25 s', () => {
  const pending = follow([[250, measured(300)]]).state;
  expect(follow([[6_000, measured(900)]], pending).decisions).toEqual([]);
  const { decisions, state } = follow(
    [
      [25_250, measured(300)],
      [27_000, measured(300)],
      [27_250, measured(300)],
    ],
    pending,
  );
  expect(decisions).toMatchObject([{ atMs: 27_250, code: 'lower', fromBps: 3_000_000 }]);
  expect(state.bitrateBps).toBe(3_000_000);
});

test('a bitrate that is not in effect after 25 s is kept until a replacement works', () => {
  const at = (...events: [number, ControlEvent][]) => isKept(follow([[250, measured(300)], ...events]).state);
  const failed: [number, ControlEvent] = [25_250, measured(0)];
  expect([at([25_249, measured(0)]), at(failed), at(failed, [30_000, measured(300)])]).toEqual([false, true, true]);
  expect(at(failed, [30_000, measured(300)], [31_000, replaced])).toBe(false);
});

const atFloor = { ...startBitrate(bounds, 0), bitrateBps: bounds.floorBps };

test('a queue at the floor is reported again only once the bitrate was raised meanwhile', () => {
  const { decisions } = run(40, (second) => measured([0, 5, 20, 25].includes(second) ? 200 : 0), atFloor);
  expect(decisions).toEqual(['0 s: at the floor', '15 s: raise to 440', '20 s: lower to 370', '25 s: at the floor']);
});

test('a queue at the floor is reported at once, even while a failed replacement may not be tried again', () => {
  const { decisions } = follow(
    [
      [10_000, measured(0)],
      [10_250, { kind: 'not-replaced' }],
      [10_500, measured(200)],
    ],
    atFloor,
  );
  expect(decisions.map(({ atMs, code }) => [atMs, code])).toEqual([
    [10_000, 'raise'],
    [10_500, 'at-floor'],
  ]);
});

test('a queue that stays lowers the bitrate every 4 s down to the floor, which is reported once', () => {
  expect(run(60, () => measured(500)).decisions).toEqual([
    '0 s: lower to 2400',
    '4 s: lower to 1920',
    '8 s: lower to 1530',
    '12 s: lower to 1220',
    '16 s: lower to 970',
    '20 s: lower to 770',
    '24 s: lower to 610',
    '28 s: lower to 480',
    '32 s: lower to 380',
    '36 s: lower to 370',
    '40 s: at the floor',
  ]);
});

test('after 10 s of calm the bitrate is raised by a fifth at a time, at most a tenth of the ceiling, up to the ceiling', () => {
  const low = { ...startBitrate(bounds, 0), bitrateBps: 2_450_000 };
  expect(run(40, () => measured(20), low).decisions).toEqual(['10 s: raise to 2750', '21 s: raise to 3000']);
  // The pause restarts whenever media is waiting.
  expect(run(40, (second) => measured(second === 9 ? 150 : 20), low).decisions[0]).toBe('19 s: raise to 2750');
});

/** A broadcast at 1 Mbit/s whose way carries no more: each raise leads to a queue. */
const runUpToOneMegabit = (seconds: number) =>
  run(seconds, (_, { bitrateBps }) => (bitrateBps > 1_050_000 ? measured(250, 1_300_000) : measured(10)), {
    ...startBitrate(bounds, 0),
    bitrateBps: 1_000_000,
  });

test('a raise that leads to a queue is taken back, and the next one waits twice as long each time', () => {
  const { decisions } = runUpToOneMegabit(100);
  expect(decisions).toEqual([
    '10 s: raise to 1200',
    '11 s: lower to 1000',
    '32 s: raise to 1200',
    '33 s: lower to 1000',
    '74 s: raise to 1200',
    '75 s: lower to 1000',
  ]);
});

test('up to 100 ms of waiting media is calm, and more is not', () => {
  const low = { ...startBitrate(bounds, 0), bitrateBps: 2_450_000 };
  const raisedAfter = (queueMs: number) => run(20, (second) => measured(second === 9 ? queueMs : 0), low).decisions;
  expect([raisedAfter(100), raisedAfter(101)]).toEqual([['10 s: raise to 2750'], ['19 s: raise to 2750']]);
});

test('however often raises fail, the next one waits two minutes at most', () => {
  const { decisions } = runUpToOneMegabit(550);
  const raisedAt = decisions.filter((decision) => decision.includes('raise')).map((decision) => Number.parseFloat(decision));
  // The 10 s double up to the two minutes; each failure takes two seconds more.
  expect(raisedAt).toEqual([10, 32, 74, 156, 278, 400, 522]);
});

test('a raise that lasts 15 s has shown that there is room: what follows is not taken back, and the pause is 10 s again', () => {
  const low = { ...startBitrate(bounds, 0), bitrateBps: 1_000_000 };
  /** The way is too narrow for the first raise, and again at `second`. */
  const narrowAt =
    (second: number) =>
    (now: number, { bitrateBps }: BitrateState) =>
      (now < 20 && bitrateBps > 1_050_000) || now === second ? measured(250, 1_300_000) : measured(10);
  const first = ['10 s: raise to 1200', '11 s: lower to 1000', '32 s: raise to 1200'];
  expect(run(60, narrowAt(47.75), low).decisions).toEqual([...first, '47.75 s: lower to 1000']);
  expect(run(60, narrowAt(48.25), low).decisions).toEqual([...first, '48.25 s: lower to 900', '59.25 s: raise to 1080']);
});

test('a reconnect keeps the bitrate: nothing is measured for 3 s, and it is raised only after calm on the new connection', () => {
  const low = { ...startBitrate(bounds, 0), bitrateBps: 1_000_000 };
  const { decisions, state } = follow(
    [
      [9_000, { kind: 'disconnected' }],
      // Measurements of the lost connection.
      [9_500, measured(900)],
      [11_000, measured(0)],
      [12_000, { kind: 'connected' }],
      // The GOP that a new connection sends first.
      [12_250, measured(700, 900_000)],
      [14_900, measured(0)],
      [21_900, measured(0)],
      [22_000, measured(0)],
    ],
    low,
  );
  expect(decisions).toEqual([{ atMs: 22_000, code: 'raise', fromBps: 1_000_000, toBps: 1_200_000 }]);
  expect(state.bitrateBps).toBe(1_000_000);
});

test('measurements count from 3 s after a connection on', () => {
  const at = (atMs: number) =>
    follow([
      [1_000, { kind: 'connected' }],
      [atMs, measured(900)],
    ]).decisions;
  expect([at(3_999), at(4_000).length]).toEqual([[], 1]);
});

test('a connection that is lost while the encoder is replaced changes nothing about the replacement', () => {
  const { state } = follow([
    [250, measured(400, 1_000_000)],
    [500, { kind: 'disconnected' }],
    [900, replaced],
    [1_500, { kind: 'connected' }],
  ]);
  expect(state).toMatchObject({ bitrateBps: 530_000, pending: undefined });
});

test('an encoder that cannot be replaced keeps its bitrate, and is asked again after 4 s at the earliest', () => {
  const { decisions, state } = follow([
    [250, measured(300)],
    [600, { kind: 'not-replaced' }],
    [4_200, measured(300)],
    [4_250, measured(300)],
  ]);
  expect(decisions.map(({ atMs, code }) => [atMs, code])).toEqual([
    [250, 'lower'],
    [4_250, 'lower'],
  ]);
  expect(state.bitrateBps).toBe(3_000_000);
});

/** The decisions of ten minutes with this measurement four times a second, and replacements that each fail after `failsAfterMs`. */
function failToReplace(failsAfterMs: number, measurement: ControlEvent, begin: BitrateState) {
  let state = begin;
  const decidedAt: number[] = [];
  for (let atMs = 0; atMs < 600_000; atMs += 250) {
    if (state.pending !== undefined && atMs - state.pending.sinceMs >= failsAfterMs)
      state = stepBitrate(state, { kind: 'not-replaced' }, atMs).state;
    const next = stepBitrate(state, measurement, atMs);
    state = next.state;
    if (next.decision) decidedAt.push(atMs / 1000);
  }
  return { state, decidedAt };
}

test('an encoder that can never be replaced is asked less and less often, at most every 2 min', () => {
  const begin = startBitrate(bounds, 0);
  // Graphics cards that allow one encode refuse at once; a computer too slow for two takes the 20 s of a handover.
  expect(failToReplace(250, measured(300), begin).decidedAt).toEqual([0, 4, 8.25, 16.5, 32.75, 65, 129.25, 249.5, 369.75, 490]);
  expect(failToReplace(20_000, measured(300), begin).decidedAt).toEqual([0, 22, 46, 74, 110, 162, 246, 386, 526]);
  expect(failToReplace(20_000, measured(0), { ...begin, bitrateBps: 1_000_000 }).decidedAt).toEqual([
    10, 40, 70, 100, 136, 188, 272, 412, 552,
  ]);
});

test('an encoder that could be replaced again is asked without a pause', () => {
  const { state } = failToReplace(250, measured(300), startBitrate(bounds, 0));
  const { decisions } = follow(
    [
      [700_000, measured(300)],
      [701_000, replaced],
      [704_000, measured(300)],
      [704_250, { kind: 'not-replaced' }],
      [708_000, measured(300)],
    ],
    state,
  );
  expect(decisions.map(({ atMs }) => atMs)).toEqual([700_000, 704_000, 708_000]);
});

test('whatever happens, the bitrate stays between floor and ceiling and is lowered at most every 4 s', () => {
  const measurement = fc.record({
    kind: fc.constant('measured' as const),
    queueMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
    limitBps: fc.option(fc.double({ min: 0, max: 100_000_000, noNaN: true }), { nil: undefined }),
  });
  const event = fc.oneof(
    { weight: 8, arbitrary: measurement },
    { weight: 3, arbitrary: fc.constant({ kind: 'replaced' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'not-replaced' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'connected' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'disconnected' as const }) },
  );
  const ceilings = fc.integer({ min: 300_000, max: 50_000_000 });
  fc.assert(
    fc.property(
      ceilings,
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), event), { maxLength: 200 }),
      (ceilingBps, events) => {
        const floorBps = floorFor(ceilingBps);
        let state = startBitrate({ floorBps, ceilingBps, audioBitrateBps: 160_000 }, 0);
        let now = 0;
        let lastLoweredMs = Number.NEGATIVE_INFINITY;
        for (const [pauseMs, each] of events) {
          now += pauseMs;
          const before = state;
          const { state: next, decision } = stepBitrate(state, each, now);
          state = next;
          for (const bps of [state.bitrateBps, state.pending?.toBps ?? floorBps]) {
            expect(bps).toBeGreaterThanOrEqual(floorBps);
            expect(bps).toBeLessThanOrEqual(ceilingBps);
          }
          if (decision?.code === 'lower') {
            expect(now - lastLoweredMs).toBeGreaterThanOrEqual(4_000);
            expect(decision.toBps).toBeLessThan(before.bitrateBps);
            lastLoweredMs = now;
          }
          // The bitrate changes only by a decision that was put into effect.
          if (state.bitrateBps !== before.bitrateBps) expect(state.bitrateBps).toBe(before.pending?.toBps);
        }
      },
    ),
    { numRuns: 500 },
  );
});

/** Sends video over a way for `ms`, at the bitrate that follows it; returns the last state. `onMeasured` sees each measure. */
function sendOver(way: SimulatedWay, ms: number, onMeasured: (state: BitrateState, queueMs: number) => void): BitrateState {
  let state = startBitrate(bounds, 0);
  let dropsUntilKeyframe = false;
  sendVideo(way, {
    ms,
    videoBps: () => state.bitrateBps,
    onFrame({ isKeyframe, measure }) {
      const { queueMs = 0, waitMs = 0, carried } = measure ?? {};
      const limitBps = carried?.isLimit ? carried.bps : undefined;
      if (state.pending !== undefined && isKeyframe && way.now - state.pending.sinceMs > 500)
        state = stepBitrate(state, replaced, way.now).state;
      state = stepBitrate(state, measured(queueMs, limitBps), way.now).state;
      onMeasured(state, queueMs);
      if (waitMs >= 700) dropsUntilKeyframe = true;
      else if (isKeyframe) dropsUntilKeyframe = false;
      return !dropsUntilKeyframe;
    },
  });
  return state;
}

test('over a way that carries a quarter and then all again, the queue is soon short, and the bitrate returns', () => {
  const way = new SimulatedWay({
    capacityBps: (atMs) => (atMs < 10_000 || atMs > 60_000 ? 50_000_000 : 790_000),
    roundTripMs: () => 30,
  });
  let queuedAtMs: number | undefined;
  let calmAtMs: number | undefined;
  let longestMs = 0;
  const state = sendOver(way, 300_000, (_, queueMs) => {
    if (queueMs >= 200) queuedAtMs ??= way.now;
    else if (queuedAtMs !== undefined) calmAtMs ??= way.now;
    if (way.now < 60_000) longestMs = Math.max(longestMs, queueMs);
  });
  expect(longestMs).toBeLessThan(1_500);
  expect((calmAtMs ?? Number.NaN) - 10_000).toBeLessThan(4_000);
  expect(state.bitrateBps).toBe(bounds.ceilingBps);
});

test.each<[number, string, boolean[]]>([
  [1_600_000, 'stays below half of the chosen one', [false, true]],
  [1_750_000, 'stays below half of the chosen one', [false, true]],
  [1_800_000, 'falls below half of the chosen one, and returns', [false, true, false]],
])('over a way of %i bit/s, the proven bitrate %s, whichever raises are undone', (capacityBps, _, expected) => {
  const way = new SimulatedWay({
    capacityBps: (atMs) => (atMs < 10_000 ? 50_000_000 : capacityBps),
    roundTripMs: () => 30,
  });
  const isLow = [false];
  sendOver(way, 600_000, (state) => {
    const is = provenBps(state) < bounds.ceilingBps / 2;
    if (is !== isLow.at(-1)) isLow.push(is);
  });
  expect(isLow).toEqual(expected);
});
