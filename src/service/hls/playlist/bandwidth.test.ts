import { describe, expect, it } from 'vitest';
import { averageBandwidthBps, peakBandwidthBps } from './bandwidth.ts';

const row = (...measures: readonly (readonly [seconds: number, bytes: number])[]) =>
  measures.map(([durationSeconds, sizeBytes]) => ({ durationSeconds, sizeBytes }));

describe('bandwidth', () => {
  it('averages over the whole row', () => {
    expect(averageBandwidthBps(row([2, 1000], [1, 250]))).toBe((1250 * 8) / 3);
  });

  it('peaks at the largest segment of a usual length', () => {
    expect(peakBandwidthBps(row([2, 1000], [2, 3000], [2, 1000]), 2)).toBe(12_000);
  });

  it('takes short segments together: alone they say nothing', () => {
    // 0.5 s with 2000 bytes is under half the target of 2 s; with its neighbour it is 2.5 s.
    expect(peakBandwidthBps(row([2, 1000], [0.5, 2000]), 2)).toBe((3000 * 8) / 2.5);
  });

  it('is the average where every segment is too short', () => {
    expect(peakBandwidthBps(row([0.4, 100]), 2)).toBe(2000);
  });

  it('counts rows from half of the target duration to one and a half, both included', () => {
    const averageBps = (4_010 * 8) / 14;
    expect(peakBandwidthBps(row([1, 1_000], [4, 400]), 2)).toBe(8_000);
    expect(peakBandwidthBps(row([0.99, 1_000], [4, 400]), 2)).toBe((1_400 * 8) / 4.99);
    expect(peakBandwidthBps(row([3, 3_000], [10, 10]), 2)).toBe(8_000);
    expect(peakBandwidthBps(row([4, 4_000], [10, 10]), 2)).toBe(averageBps);
  });
});
