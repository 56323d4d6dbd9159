import { expect, test } from 'vitest';
import { EncodePace } from './encode-pace.ts';

/** Reports twice a second from `fromMs` on, for an encode at this speed whose output was at `outTimeSeconds` before. */
function report(
  pace: EncodePace,
  { fromMs, toMs, outTimeSeconds = 0, speed = 1 }: { fromMs: number; toMs: number; outTimeSeconds?: number; speed?: number },
) {
  for (let atMs = fromMs; atMs <= toMs; atMs += 500) {
    const seconds = outTimeSeconds + ((atMs - fromMs) / 1000) * speed;
    pace.push(atMs, { outTimeSeconds: seconds, frame: seconds * 30 });
  }
}

test('the speed is known 5 s after the first output, whenever that came', () => {
  const pace = new EncodePace();
  pace.push(0, { outTimeSeconds: undefined, frame: 0 });
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
  expect(pace.fps).toBeCloseTo(24);
  report(pace, { fromMs: 3_610_000, toMs: 3_620_000, outTimeSeconds: 3_608 });
  expect(pace.speed).toBeCloseTo(1);
  expect(pace.fps).toBeCloseTo(30);
});

test('the frame rate is known a second after the first output, and never for audio alone', () => {
  const pace = new EncodePace();
  report(pace, { fromMs: 0, toMs: 500 });
  expect(pace.fps).toBeUndefined();
  report(pace, { fromMs: 1_000, toMs: 1_000, outTimeSeconds: 1 });
  expect(pace.fps).toBe(30);
  const audio = new EncodePace();
  for (let atMs = 0; atMs <= 10_000; atMs += 500) audio.push(atMs, { outTimeSeconds: atMs / 1000, frame: undefined });
  expect([audio.fps, audio.speed]).toEqual([undefined, 1]);
});

test.each([
  { ended: 'in mid-broadcast', afterMs: 60_000 },
  // Its only report has no output, which is less than the next ffmpeg ever reports.
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

test('while the computer slept or the process was stopped, the encoder was not slow', () => {
  const pace = new EncodePace();
  report(pace, { fromMs: 0, toMs: 60_000 });
  report(pace, { fromMs: 90_000, toMs: 94_500, outTimeSeconds: 60 });
  expect(pace.speed).toBeUndefined();
  report(pace, { fromMs: 95_000, toMs: 95_000, outTimeSeconds: 65 });
  expect([pace.speed, pace.fps]).toEqual([1, 30]);
});

test('frames that fall into a pause of this process count only if it had paused in the last minute before', () => {
  const pace = new EncodePace();
  let atMs = 0;
  let outTimeSeconds = 0;
  const run = (seconds: number) => {
    report(pace, { fromMs: atMs, toMs: atMs + seconds * 1_000, outTimeSeconds });
    atMs += seconds * 1_000;
    outTimeSeconds += seconds;
    return pace.speed;
  };
  const pause = () => {
    atMs += 2_000;
    pace.notePause(atMs);
  };
  const speeds: (number | undefined)[] = [run(60)];
  for (const seconds of [8, 58, 59, 8]) {
    pause();
    speeds.push(run(8));
    run(seconds - 8);
  }
  expect(speeds).toEqual([1, 1, 0.8, 0.8, 1]);
});

test.each([
  { gapMs: 6_000, speed: 0.5 },
  { gapMs: 6_001, speed: undefined },
])('reports up to 6 s apart give a speed: after a gap of $gapMs ms it is $speed', ({ gapMs, speed }) => {
  const pace = new EncodePace();
  pace.push(0, { outTimeSeconds: 0, frame: 0 });
  pace.push(gapMs, { outTimeSeconds: 3, frame: 90 });
  expect(pace.speed).toBe(speed);
});
