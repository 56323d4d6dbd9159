import { expect, test } from 'vitest';
import { ArrivalPauses } from './arrival-pauses.ts';

/** Arrivals every 40 ms, but within the pauses. */
function arrive(endMs: number, pauses: readonly (readonly [number, number])[], fps?: number): ArrivalPauses {
  const found = new ArrivalPauses();
  for (let now = 0; now <= endMs; now += 40) {
    if (!pauses.some(([from, to]) => now > from && now < to)) found.add(now, fps);
  }
  return found;
}

test('media is steady since it came, and again after a pause of more than a second', () => {
  expect(new ArrivalPauses().steadySince(0)).toBeUndefined();
  const found = arrive(2_000, []);
  expect(found.steadySince(3_000)).toBe(0);
  expect(found.steadySince(3_001)).toBeUndefined();
  found.add(3_400, undefined);
  expect(found.steadySince(3_400)).toBe(3_400);
});

test('media of another publisher is steady since its first arrival, though nothing paused', () => {
  const found = arrive(2_000, []);
  found.changePublisher();
  expect(found.steadySince(2_040)).toBeUndefined();
  found.add(2_040, undefined);
  expect(found.steadySince(2_040)).toBe(2_040);
});

test('a sleep of the computer is no pause, whether media came before it was noted or comes after', () => {
  const found = arrive(2_000, []);
  found.noteSleep(30_000);
  expect(found.recent(30_000)).toEqual({ count: 0, seconds: 0 });
  found.add(30_900, undefined);
  expect([found.recent(30_900), found.steadySince(30_900)]).toEqual([{ count: 0, seconds: 0 }, 30_900]);
  found.add(60_000, undefined);
  expect(found.recent(60_000)).toEqual({ count: 1, seconds: 29.1 });
  found.noteSleep(60_300);
  found.add(61_200, undefined);
  expect(found.recent(61_200)).toEqual({ count: 0, seconds: 0 });
  found.add(64_200, undefined);
  expect(found.recent(64_200)).toEqual({ count: 1, seconds: 3 });
});

test('a publisher that was lost once has not paused; one that is lost again and again has', () => {
  const found = arrive(2_000, [[500, 1_800]]);
  const lose = (untilMs: number) => {
    found.changePublisher();
    found.add(untilMs, undefined);
    return found.recent(untilMs);
  };
  expect(lose(12_000)).toEqual({ count: 1, seconds: expect.closeTo(1.3, 1) });
  expect(lose(22_000)).toEqual({ count: 3, seconds: expect.closeTo(21.3, 1) });
});

test.each([
  ['none', [], 20_000, { count: 0, seconds: 0 }],
  ['none that lasts a second', [[4_000, 5_000]], 20_000, { count: 0, seconds: 0 }],
  ['each longer one', [[4_000, 5_200], [8_000, 10_000]], 20_000, { count: 2, seconds: 3.2 }], // biome-ignore format: one row per case
  ['only what was within the last minute', [[4_000, 5_200], [8_000, 10_000]], 69_000, { count: 1, seconds: 1 }], // biome-ignore format: one row per case
] as const)('of the pauses of the last minute, it finds %s', (_what, pauses, endMs, sums) => {
  expect(arrive(endMs, pauses).recent(endMs)).toEqual(sums);
});

/** A minute and a half from a sender that waits this long, in milliseconds, between its bursts, in turn and over again. */
function arriveInBursts(waitsMs: readonly number[]): ArrivalPauses {
  const found = new ArrivalPauses();
  let now = 0;
  for (let burst = 0; now < 90_000; burst += 1) {
    for (const afterMs of [0, 100, 200]) found.add(now + afterMs, 30);
    now += waitsMs[burst % waitsMs.length] ?? 0;
  }
  found.add(now, 30);
  return found;
}

test.each([
  ['a second and a half', [1_500], 1.3],
  ['two and a half seconds', [2_500], 2.3],
  ['about a second', [1_300, 900, 1_000, 900, 1_000, 1_250], 1.1],
])('a sender that sends %s of media at once has paused once, as players are behind since', (_what, waitsMs, seconds) => {
  const found = arriveInBursts(waitsMs);
  expect(found.recent(91_000)).toEqual({ count: 1, seconds: expect.closeTo(seconds, 5) });
});

test('a longer pause right after another freezes only for the difference, and a pause after two seconds of media is another', () => {
  expect(arrive(20_000, [[4_000, 5_200], [7_160, 9_160]]).recent(20_000)).toEqual({ count: 1, seconds: 2 }); // biome-ignore format: as pairs
  expect(arrive(20_000, [[4_000, 5_200], [7_200, 9_200]]).recent(20_000)).toEqual({ count: 2, seconds: 3.2 }); // biome-ignore format: as pairs
});

test('a shorter pause right after another freezes nothing, and leaves earlier pauses as they were', () => {
  expect(arrive(20_000, [[1_000, 2_600], [8_000, 10_000], [11_160, 12_360]]).recent(20_000)).toEqual({ count: 2, seconds: 3.6 }); // biome-ignore format: as pairs
});

test('the media that a lost publisher missed never comes: a pause right after its return is another', () => {
  const found = arrive(2_000, []);
  for (const untilMs of [6_000, 10_000]) {
    found.changePublisher();
    found.add(untilMs, undefined);
  }
  expect(found.recent(12_000)).toEqual({ count: 3, seconds: expect.closeTo(10, 1) });
});

test('pauses in each of which the publisher was gone are losses', () => {
  const found = arrive(2_000, []);
  for (const untilMs of [6_000, 10_000]) {
    found.changePublisher();
    for (let now = untilMs; now < untilMs + 2_000; now += 40) found.add(now, undefined);
  }
  expect(found.recent(12_000)).toEqual({ count: 2, seconds: expect.closeTo(6, 0), areLosses: true });
});

test('pauses before a broadcast was on air do not count', () => {
  const found = arrive(10_000, [[4_000, 6_000]]);
  found.begin();
  expect(found.recent(10_000)).toEqual({ count: 0, seconds: 0 });
});

test('a pause counts while it lasts', () => {
  const found = arrive(10_000, [[4_000, 6_000]]);
  expect(found.recent(11_000)).toEqual({ count: 1, seconds: 2 });
  expect(found.recent(11_200)).toEqual({ count: 2, seconds: 3.2 });
});

test('the frames of a slide show are no pauses, but a missing one is', () => {
  const found = new ArrivalPauses();
  for (const now of [0, 1_040, 2_010, 3_090, 4_000]) found.add(now, 1);
  expect(found.steadySince(5_100)).toBe(0);
  expect(found.recent(5_100)).toEqual({ count: 0, seconds: 0 });
  found.add(6_200, 1);
  expect(found.recent(6_200)).toEqual({ count: 1, seconds: 2.2 });
});
