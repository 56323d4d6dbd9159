import { expect, test } from 'vitest';
import { createSystemClock, monotonicAt, timeOfDay } from './system-clock.ts';

function createClock() {
  const computer = { wallMs: 1_700_000_000_000, monotonicMs: 5_000.7 };
  const clock = createSystemClock(
    () => computer.wallMs,
    () => computer.monotonicMs,
  );
  const pass = (milliseconds: number) => {
    computer.wallMs += milliseconds;
    computer.monotonicMs += milliseconds;
  };
  return { computer, clock, pass };
}

test('both times are whole milliseconds and advance together', () => {
  const { clock, pass } = createClock();
  expect([clock.now(), clock.monotonicMs()]).toEqual([1_700_000_000_000, 5_000]);
  pass(1_234);
  expect([clock.now(), clock.monotonicMs()]).toEqual([1_700_000_001_234, 6_234]);
});

test.each([-3_600_000, 3_600_000])('setting the clock by %i ms changes the time of day but no age', (setMs) => {
  const { computer, clock, pass } = createClock();
  const began = clock.monotonicMs();
  const beganAt = timeOfDay(clock, began);
  pass(10_000);
  expect(timeOfDay(clock, began)).toBe(beganAt);
  computer.wallMs += setMs;
  pass(10_000);
  expect(clock.monotonicMs() - began).toBe(20_000);
  expect(clock.now()).toBe(computer.wallMs);
  expect(clock.now() - timeOfDay(clock, began)).toBe(20_000);
});

test('a moment keeps its time of day although the process is stopped between readings of the clocks', () => {
  const computer = { wallMs: 1_700_000_000_000, monotonicMs: 5_000.7 };
  let stops: number[] = [];
  /** Before it answers, the process is stopped for the next of these times. */
  const read = (name: keyof typeof computer) => () => {
    const stopMs = stops.shift() ?? 0;
    computer.wallMs += stopMs;
    computer.monotonicMs += stopMs;
    return computer[name];
  };
  const clock = createSystemClock(read('wallMs'), read('monotonicMs'));
  const began = clock.monotonicMs();
  const beganAt = timeOfDay(clock, began);
  const ask = [
    () => timeOfDay(clock, began),
    () => clock.now() - clock.monotonicMs() + began,
    () => monotonicAt(clock, beganAt),
  ];
  for (const stopMs of [4, 60, 3_000]) {
    for (let before = 0; before < 8; before += 1) {
      for (const [which, now] of ask.entries()) {
        stops = which === 1 ? [0, stopMs] : [...Array<number>(before).fill(0), stopMs];
        expect([which, before, stopMs, now()]).toEqual([which, before, stopMs, which === 2 ? began : beganAt]);
        stops = [];
      }
    }
  }
});

test('a moment keeps its time of day although the two clocks differ by some milliseconds', () => {
  const { computer, clock, pass } = createClock();
  const began = clock.monotonicMs();
  const beganAt = timeOfDay(clock, began);
  for (let read = 0; read < 100; read += 1) {
    pass(7);
    computer.wallMs += read % 2 === 0 ? 20 : -20;
    expect(timeOfDay(clock, began)).toBe(beganAt);
  }
});
