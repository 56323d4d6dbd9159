import { expect, test } from 'vitest';
import { createMemoryRecord } from '../../../test/support/memory-record.ts';
import { CostMeter, CostRecord, EncodeCosts } from './encode-costs.ts';

const used = { cpuSeconds: 10, pixels: 1e9 };
const known = { cores: 1, isMeasured: true };
const isMeasured = (costs: EncodeCosts) => costs.estimate('libx264', 1e8).isMeasured;

test('what was measured on other processors, before the data folder was moved here, is forgotten', () => {
  const record = createMemoryRecord<CostRecord>({ costs: {} });
  new EncodeCosts(record, '4 × A').learn('libx264', used);
  expect(new EncodeCosts(record, '4 × A').estimate('libx264', 1e8)).toEqual(known);
  const moved = new EncodeCosts(record, '8 × B');
  expect(isMeasured(moved)).toBe(false);
  moved.learn('h264_nvenc', used);
  expect([isMeasured(moved), isMeasured(new EncodeCosts(record, '8 × B'))]).toEqual([false, false]);
  expect(record.get()).toEqual({ processors: '8 × B', costs: { h264_nvenc: 10 } });
});

test('what an earlier version has measured, without naming the processors, counts for those that it is first opened on', () => {
  const record = createMemoryRecord(CostRecord.parse({ libx264: 10 }));
  expect(new EncodeCosts(record, '4 × A').estimate('libx264', 1e8)).toEqual(known);
  expect(CostRecord.parse(record.get())).toEqual({ processors: '4 × A', costs: { libx264: 10 } });
  expect(isMeasured(new EncodeCosts(record, '8 × B'))).toBe(false);
});

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
  // The process has ended, or the system doesn't report its CPU time.
  expect(meter.push(3, 600)).toBeUndefined();
});
