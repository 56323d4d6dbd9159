import { expect, test } from 'vitest';
import { nameProcessors, ownProcessors } from './processors.ts';

test('the work of cores and of a process is measured, and a process that does not exist has none', () => {
  const before = ownProcessors.readCores();
  const spentBefore = ownProcessors.readCpuSeconds(process.pid);
  const startedWith = process.cpuUsage();
  // Asking all the time would mostly keep the system busy.
  while (process.cpuUsage(startedWith).user < 150_000) for (let turn = 0; turn < 1_000_000; turn += 1);
  const after = ownProcessors.readCores();
  const sum = (cores: typeof before) => cores.reduce((ms, { busyMs }) => ms + busyMs, 0);
  expect(after).toHaveLength(before.length);
  // The system counts in hundredths of a second.
  if (before.length > 0) expect(sum(after) - sum(before)).toBeGreaterThanOrEqual(100);
  if (process.platform === 'linux') {
    expect((ownProcessors.readCpuSeconds(process.pid) ?? 0) - (spentBefore ?? 0)).toBeGreaterThanOrEqual(0.1);
  }
  expect(ownProcessors.readCpuSeconds(2 ** 31 - 1)).toBeUndefined();
});

test('the processors are named with their number, the same each time', () => {
  expect(nameProcessors()).toMatch(/^\d+ × \S/);
  expect(nameProcessors()).toBe(nameProcessors());
});
