import { expect, test } from 'vitest';
import { CaptureClock } from './capture-clock.ts';

const wallMs = Date.UTC(2030, 0, 1);
const arrival = { atMs: wallMs, wallMs };
const stamp = (capturedAtMs: number, encodedAtMs = capturedAtMs) => ({ capturedAtMs, encodedAtMs });

test('the offset is that of the stamps, and rounding does not move it', () => {
  const clock = new CaptureClock();
  expect(clock.read(stamp(wallMs - 80, wallMs - 5), 1_000, arrival)).toBe(wallMs - 1_080);
  const offsets = [1, -1, 0, 2, 1].map((off) => clock.read(stamp(wallMs - 80 + off), 1_000, arrival));
  expect(offsets.map((offsetMs) => (offsetMs ?? 0) - wallMs)).toEqual([-1_080, -1_080, -1_080, -1_078, -1_078]);
});

test.each([
  ['a capture from the future', stamp(wallMs + 1_001)],
  ['an encode from the future', stamp(wallMs, wallMs + 1_001)],
  ['a capture from long ago', stamp(wallMs - 60_001, wallMs)],
  ['an encode before its capture', stamp(wallMs, wallMs - 1)],
  ['no time at all', stamp(0)],
])('%s is not credible', (_, told) => {
  const clock = new CaptureClock();
  expect(clock.read(told, 1_000, arrival)).toBeUndefined();
  expect(clock.isRunning(wallMs)).toBe(false);
});

test.each([1_000, -60_000])(
  'a capture %i ms after its arrival is credible: clocks of two computers differ, and media may take a minute',
  (ms) => {
    expect(new CaptureClock().read(stamp(wallMs + ms), 0, arrival)).toBe(wallMs + ms);
  },
);

test('it runs until half a minute after the last stamp, and lapses once', () => {
  const clock = new CaptureClock();
  expect(clock.hasLapsed(wallMs)).toBe(false);
  clock.read(stamp(wallMs), 0, arrival);
  expect([clock.isRunning(wallMs + 30_000), clock.hasLapsed(wallMs + 30_000)]).toEqual([true, false]);
  expect(clock.isRunning(wallMs + 30_001)).toBe(false);
  expect([clock.hasLapsed(wallMs + 30_001), clock.hasLapsed(wallMs + 30_002)]).toEqual([true, false]);
});
