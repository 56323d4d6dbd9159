import { expect, test } from 'vitest';
import { CostMeter } from './encode-costs.ts';

test('what an ffmpeg uses is measured over 600 frames at a time, and another one starts from zero', () => {
  const used = new Map([
    [1, 0.5],
    [2, 9],
  ]);
  const meter = new CostMeter({ readCpuSeconds: (pid) => used.get(pid) });
  expect([meter.push(1, undefined), meter.push(undefined, 5), meter.push(1, 10)]).toEqual([undefined, undefined, undefined]);
  used.set(1, 8.5);
  expect([meter.push(1, 609), meter.push(1, 610), meter.push(1, 700)]).toEqual([
    undefined,
    { cpuSeconds: 8, frames: 600 },
    undefined,
  ]);
  expect([meter.push(2, 2_000), meter.push(2, 2_600)]).toEqual([undefined, { cpuSeconds: 0, frames: 600 }]);
  // It has ended, or the computer doesn't say.
  expect(meter.push(3, 600)).toBeUndefined();
});
