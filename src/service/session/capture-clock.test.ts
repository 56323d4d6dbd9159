import { expect, test } from 'vitest';
import { CaptureClock } from './capture-clock.ts';

const arrivedAtMs = Date.UTC(2030, 0, 1);
const arrival = { arrivedAtMs, atMs: arrivedAtMs };
const stamp = (capturedAtMs: number, encodedAtMs = capturedAtMs) => ({ capturedAtMs, encodedAtMs });

test('the offset is that of the stamps, and rounding does not move it', () => {
  const clock = new CaptureClock();
  expect(clock.read(stamp(arrivedAtMs - 80, arrivedAtMs - 5), 1_000, arrival)).toBe(arrivedAtMs - 1_080);
  const offsets = [1, -1, 0, 2, 1].map((off) => clock.read(stamp(arrivedAtMs - 80 + off), 1_000, arrival));
  expect(offsets.map((offsetMs) => (offsetMs ?? 0) - arrivedAtMs)).toEqual([-1_080, -1_080, -1_080, -1_078, -1_078]);
});

test.each([
  ['a capture from the future', stamp(arrivedAtMs + 1_001)],
  ['an encode from the future', stamp(arrivedAtMs, arrivedAtMs + 1_001)],
  ['a capture from long ago', stamp(arrivedAtMs - 60_001, arrivedAtMs)],
  ['an encode before its capture', stamp(arrivedAtMs, arrivedAtMs - 1)],
  ['no time at all', stamp(0)],
])('%s is not credible', (_, told) => {
  const clock = new CaptureClock();
  expect(clock.read(told, 1_000, arrival)).toBeUndefined();
  expect(clock.isRunning(arrivedAtMs)).toBe(false);
});

test.each([1_000, -60_000])(
  'a capture %i ms after its arrival is credible: clocks of two computers differ, and media may take a minute',
  (ms) => {
    expect(new CaptureClock().read(stamp(arrivedAtMs + ms), 0, arrival)).toBe(arrivedAtMs + ms);
  },
);

test('it runs until half a minute after the last stamp, and lapses once', () => {
  const clock = new CaptureClock();
  expect(clock.hasLapsed(arrivedAtMs)).toBe(false);
  clock.read(stamp(arrivedAtMs), 0, arrival);
  expect([clock.isRunning(arrivedAtMs + 30_000), clock.hasLapsed(arrivedAtMs + 30_000)]).toEqual([true, false]);
  expect(clock.isRunning(arrivedAtMs + 30_001)).toBe(false);
  expect([clock.hasLapsed(arrivedAtMs + 30_001), clock.hasLapsed(arrivedAtMs + 30_002)]).toEqual([true, false]);
});
