import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startLagMeter } from './lag-meter.ts';

function block(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test('time that this process could not run counts, even if it began just after a look', async () => {
  using lag = startLagMeter();
  for (let times = 1; times <= 3; times += 1) {
    block(65);
    // The meter's timer is due before this one: it looks, and waits again.
    await sleep(1);
  }
  expect(lag.lagMs).toBeGreaterThan(150);
});

test('turns of the work that this process has to do are no lag, however many they are', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let nowMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => {
    now.mockRestore();
    vi.useRealTimers();
  });
  using lag = startLagMeter();
  const pass = (ms: number) => {
    nowMs += ms;
    vi.advanceTimersToNextTimer();
  };
  for (let turn = 0; turn < 50; turn += 1) pass(45);
  expect(lag.lagMs).toBe(0);
  pass(65);
  expect(lag.lagMs).toBe(55);
});
