import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ActiveClock } from './active-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('time passes while timers fire, and stops while the process gets no turn', () => {
  let stalledMs = 0;
  const clock = new ActiveClock(() => Date.now() + stalledMs);
  vi.advanceTimersByTime(1_020);
  expect(clock.now()).toBe(1_020);
  // Three seconds in which no timer could fire.
  stalledMs += 3_000;
  expect(clock.now()).toBe(1_060);
  vi.advanceTimersByTime(30);
  expect(clock.now()).toBe(1_060);
  vi.advanceTimersByTime(100);
  expect(clock.now()).toBe(1_160);
  clock.close();
  expect(vi.getTimerCount()).toBe(0);
});
