import { expect, test } from 'vitest';
import { KeyframeMeter } from './keyframe-meter.ts';

/** Feeds frames, 500 ms apart and up to `toMs`, with a keyframe at each of these times. */
function feed(meter: KeyframeMeter, keyframesMs: readonly number[], toMs: number, fromMs = 0): KeyframeMeter {
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 500) meter.add(timeMs, keyframesMs.includes(timeMs));
  return meter;
}

test.each<[what: string, keyframesMs: number[], toMs: number, seconds: number | undefined, isOverdue: boolean]>([
  ['unknown before the second keyframe', [0], 4_000, undefined, false],
  ['that of the last two keyframes', [0, 1_000, 3_000], 5_500, 2, false],
  ['how long the next keyframe has not come, once that is too long', [0, 2_000], 6_500, 4.5, true],
  ['at least that of the last two keyframes', [0, 8_000], 14_000, 8, false],
  ['still growing when keyframes have stopped', [0, 2_000], 182_000, 180, true],
  ['that of one keyframe a minute and more', [0, 65_000], 66_000, 65, false],
  ['how long there has been none at all', [], 30_000, 30, true],
])('the keyframe interval is %s', (_what, keyframesMs, toMs, seconds, isOverdue) => {
  const meter = feed(new KeyframeMeter(), keyframesMs, toMs);
  expect([meter.intervalSeconds, meter.isOverdue]).toEqual([seconds, isOverdue]);
});

test.each([0, 60_000])('after a jump to %i ms, the keyframe interval is unknown until the second keyframe', (toMs) => {
  const meter = feed(new KeyframeMeter(), [0, 2_000, 4_000], 40_000);
  meter.add(toMs, false);
  expect(meter.intervalSeconds).toBeUndefined();
  meter.add(toMs + 500, true);
  expect(meter.intervalSeconds).toBeUndefined();
  expect(feed(meter, [toMs + 2_000], toMs + 2_000, toMs + 1_000).intervalSeconds).toBe(1.5);
});

test('frames a little out of order are no jump', () => {
  const meter = new KeyframeMeter();
  for (let timeMs = 0; timeMs <= 12_000; timeMs += 500) {
    meter.add(timeMs, timeMs % 10_000 === 0);
    meter.add(timeMs - 45, false);
  }
  expect([meter.intervalSeconds, meter.isOverdue]).toEqual([10, false]);
});

test('among keyframes at scene cuts, the interval is the longest of the last 30 s', () => {
  const cuts = [0, 8_000, 9_500, 17_500, 18_000, 26_000];
  const meter = new KeyframeMeter();
  const told = new Set<number | undefined>();
  for (let timeMs = 0; timeMs <= 64_000; timeMs += 500) {
    meter.add(timeMs, cuts.includes(timeMs) || (timeMs > 26_000 && timeMs % 1_000 === 0));
    if (timeMs >= 9_500 && timeMs <= 55_000) told.add(meter.intervalSeconds);
  }
  expect([...told]).toEqual([8]);
  expect(meter.intervalSeconds).toBe(1);
});

test('a pause of the video is no time between keyframes', () => {
  const meter = feed(new KeyframeMeter(), [0, 2_000], 3_000);
  feed(meter, [11_000, 13_000], 10_500, 9_500);
  expect([meter.intervalSeconds, meter.isOverdue]).toEqual([2, false]);
  feed(meter, [11_000, 13_000], 14_000, 11_000);
  expect([meter.intervalSeconds, meter.isOverdue]).toEqual([2, false]);
});

test('keyframes that have stopped before a pause of the video are still overdue after it', () => {
  const meter = feed(feed(new KeyframeMeter(), [0, 2_000], 60_000), [], 66_000, 65_000);
  expect([meter.intervalSeconds, meter.isOverdue]).toEqual([59, true]);
});
