import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchForStall } from './stall-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startWatch() {
  const state = { progress: 0, isWaiting: true, stalls: 0 };
  const stop = watchForStall({
    stallTimeoutMs: 1000,
    readProgress: () => state.progress,
    isWaiting: () => state.isWaiting,
    onStall: () => {
      state.stalls += 1;
    },
  });
  return { state, stop };
}

test('no progress while something waits is a stall, once', () => {
  const { state } = startWatch();
  vi.advanceTimersByTime(999);
  expect(state.stalls).toBe(0);
  vi.advanceTimersByTime(5000);
  expect(state.stalls).toBe(1);
});

test('progress, or nothing to send, is no stall', () => {
  const { state, stop } = startWatch();
  for (let turn = 0; turn < 10; turn += 1) {
    state.progress += 1;
    vi.advanceTimersByTime(900);
  }
  state.isWaiting = false;
  vi.advanceTimersByTime(5000);
  expect(state.stalls).toBe(0);
  stop();
});

test('it reports nothing after it is stopped', () => {
  const { state, stop } = startWatch();
  stop();
  vi.advanceTimersByTime(5000);
  expect(state.stalls).toBe(0);
});
