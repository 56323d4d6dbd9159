import { expect, test } from 'vitest';
import { type HeldPeak, holdPeak, wasOver } from './peak-hold.ts';

test('the highest peak is held for 2 s, and a higher one replaces it at once', () => {
  let held: HeldPeak | undefined;
  const hold = (peakDb: number, atMs: number) => {
    held = holdPeak(held, peakDb, atMs);
    return held.peakDb;
  };
  expect([hold(-20, 0), hold(-12, 200), hold(-30, 400), hold(-30, 2_199), hold(-30, 2_200), hold(-6, 2_400)]).toEqual([
    -20, -12, -12, -12, -30, -6,
  ]);
});

test('a channel that was above 0 dB is marked for 10 s; one at 0 dB never was', () => {
  const over = holdPeak(holdPeak(undefined, 0.1, 1_000), -20, 5_000);
  expect([wasOver(over, 10_999), wasOver(over, 11_000)]).toEqual([true, false]);
  expect(wasOver(holdPeak(undefined, 0, 0), 0)).toBe(false);
});
