import { expect, test } from 'vitest';
import { EncodePace } from './encode-pace.ts';

/** Reports twice a second from `fromMs` on, for an encode at this speed that had put out `outTimeSeconds` before. */
function report(
  pace: EncodePace,
  { fromMs, toMs, outTimeSeconds = 0, speed = 1 }: { fromMs: number; toMs: number; outTimeSeconds?: number; speed?: number },
) {
  for (let atMs = fromMs; atMs <= toMs; atMs += 500) pace.push(atMs, outTimeSeconds + ((atMs - fromMs) / 1000) * speed);
}

test('the speed is known 5 s after the first output, whenever that came', () => {
  const pace = new EncodePace();
  pace.push(0, undefined);
  report(pace, { fromMs: 3_000, toMs: 7_500 });
  expect(pace.speed).toBeUndefined();
  report(pace, { fromMs: 8_000, toMs: 8_000, outTimeSeconds: 5 });
  expect(pace.speed).toBe(1);
});

test('a slowdown after an hour shows within 10 s, and is over as soon', () => {
  const pace = new EncodePace();
  report(pace, { fromMs: 0, toMs: 3_600_000 });
  report(pace, { fromMs: 3_600_000, toMs: 3_610_000, outTimeSeconds: 3_600, speed: 0.8 });
  expect(pace.speed).toBeCloseTo(0.8);
  report(pace, { fromMs: 3_610_000, toMs: 3_620_000, outTimeSeconds: 3_608 });
  expect(pace.speed).toBeCloseTo(1);
});

test.each([
  { ended: 'in mid-broadcast', afterMs: 60_000 },
  // Its only report says that nothing has come out: less than any of the next one's.
  { ended: 'before its first frame', afterMs: 0 },
])('an ffmpeg that replaces one that ended $ended is judged by its own output only', ({ afterMs }) => {
  const pace = new EncodePace();
  report(pace, { fromMs: 60_000 - afterMs, toMs: 60_000 });
  pace.restart();
  report(pace, { fromMs: 61_500, toMs: 66_000 });
  expect(pace.speed).toBeUndefined();
  report(pace, { fromMs: 66_500, toMs: 66_500, outTimeSeconds: 5 });
  expect(pace.speed).toBe(1);
});
