import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onTick, readTick } from './shared-tick.ts';

const startMs = Date.UTC(2030, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
});
afterEach(() => {
  vi.useRealTimers();
});

test('all that count by one interval hear the same times, whenever they began', () => {
  const first: number[] = [];
  const second: number[] = [];
  const leaveFirst = onTick(500, (nowMs) => first.push(nowMs - startMs));
  vi.advanceTimersByTime(700);
  expect(readTick(500)).toBe(startMs + 500);
  const leaveSecond = onTick(500, (nowMs) => second.push(nowMs - startMs));
  vi.advanceTimersByTime(800);
  expect([first, second]).toEqual([
    [0, 500, 1_000, 1_500],
    [500, 1_000, 1_500],
  ]);
  leaveFirst();
  leaveSecond();
});

test('no timer runs once nobody counts, and the next one begins with the current time', () => {
  onTick(500, () => {})();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(700);
  expect(readTick(500)).toBe(startMs + 700);
  const heard: number[] = [];
  const leave = onTick(500, (nowMs) => heard.push(nowMs - startMs));
  vi.advanceTimersByTime(500);
  expect(heard).toEqual([700, 1_200]);
  leave();
});

test('one that leaves at a tick does not keep the others from hearing it', () => {
  const heard: string[] = [];
  const leave = onTick(500, () => {
    heard.push('first');
    if (heard.length > 2) leave();
  });
  const leaveSecond = onTick(500, () => heard.push('second'));
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(['first', 'second', 'first', 'second', 'second']);
  leaveSecond();
});
