import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callWhenRead } from './held-up.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A call that is due in 500 ms, by a timer that is this late. */
function callLate(lateMs: number) {
  const clock = { ms: 5_000 };
  const run = vi.fn();
  const undo = callWhenRead(500, run, () => clock.ms);
  clock.ms += 500 + lateMs;
  vi.advanceTimersByTime(500);
  return { run, undo };
}

test.each([
  { lateMs: 1_000, calls: 1 },
  { lateMs: 1_001, calls: 0 },
])('a timer that is late by $lateMs ms has called $calls times before sockets are read', async ({ lateMs, calls }) => {
  const { run } = callLate(lateMs);
  expect(run).toHaveBeenCalledTimes(calls);
  await setImmediate();
  expect(run).toHaveBeenCalledTimes(1);
});

test('nothing is called once it is undone, before its time or while sockets are read', async () => {
  const { run, undo } = callLate(60_000);
  undo();
  callWhenRead(500, run, () => 0)();
  vi.advanceTimersByTime(1_000);
  await setImmediate();
  expect(run).not.toHaveBeenCalled();
});
