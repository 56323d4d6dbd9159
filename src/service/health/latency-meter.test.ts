import { expect, test } from 'vitest';
import { LatencyMeter } from './latency-meter.ts';

const view = ({ encodeMs, uploadMs, packagingMs }: LatencyMeter) => ({ encodeMs, uploadMs, packagingMs });

test('undefined until measured', () => {
  expect(view(new LatencyMeter())).toEqual({ encodeMs: undefined, uploadMs: undefined, packagingMs: undefined });
});

test('encode and upload average the newest three frames, and upload is never negative', () => {
  const meter = new LatencyMeter();
  for (const [capturedAtMs, encodedAtMs, arrivedAtMs] of [
    [0, 900, 1_800],
    [1_000, 1_060, 1_063],
    [2_000, 2_080, 2_090],
    [3_000, 3_100, 3_080],
  ] as const) {
    meter.addFrame({ capturedAtMs, encodedAtMs }, arrivedAtMs);
  }
  expect(view(meter)).toEqual({ encodeMs: 80, uploadMs: 4, packagingMs: undefined });
});

test('packaging averages the parts of the last second', () => {
  const meter = new LatencyMeter();
  meter.addPart(0, 900);
  for (const atMs of [1_100, 1_300, 1_500, 1_700, 1_900]) meter.addPart(atMs - atMs / 10, atMs);
  expect(meter.packagingMs).toBe(150);
});
