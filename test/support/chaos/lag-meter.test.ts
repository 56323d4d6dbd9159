import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
