import { expect, test } from 'vitest';
import { type LatencyLook, LatencyWindow } from './latency-window.ts';

const startMs = Date.UTC(2030, 0, 1);

/** A look at a player 900 ms behind capture, on the service's own computer. */
function look(afterMs: number, changes: Partial<LatencyLook> = {}): LatencyLook {
  return { atMs: startMs + afterMs, dateMs: startMs + afterMs - 900, bufferMs: 600, clockOffsetMs: 0, ...changes };
}

test('the buffer is the minimum over four seconds, since each part raises it for a while', () => {
  const window = new LatencyWindow();
  const buffers = [780, 640, 720, 590, 750].map((bufferMs, index) => window.add(look(index * 250, { bufferMs }))?.bufferMs);
  expect(buffers).toEqual([780, 640, 640, 590, 590]);
  expect(window.add(look(4_900, { bufferMs: 800 }))).toEqual({ totalMs: 900, bufferMs: 750 });
  expect(new LatencyWindow().add(look(0, { bufferMs: undefined }))).toEqual({ totalMs: 900, bufferMs: undefined });
});

test('the clock offset comes from the fastest message', () => {
  const window = new LatencyWindow();
  const totals = [4_960, 4_995, 4_850].map((clockOffsetMs, index) => {
    const afterMs = index * 1_000;
    return window.add(look(afterMs, { clockOffsetMs, dateMs: startMs + afterMs + 5_000 - 900 }))?.totalMs;
  });
  expect(totals).toEqual([860, 895, 895]);
  expect(window.add(look(12_000, { clockOffsetMs: 4_990, dateMs: startMs + 12_000 + 5_000 - 900 }))?.totalMs).toBe(890);
});

test("setting the page's clock back starts over", () => {
  const window = new LatencyWindow();
  expect(window.add(look(0, { bufferMs: 500 }))).toEqual({ totalMs: 900, bufferMs: 500 });
  const setBack = { dateMs: startMs - 900, clockOffsetMs: 3_600_000 };
  expect(window.add(look(-3_600_000, { ...setBack, bufferMs: 700 }))).toEqual({ totalMs: 900, bufferMs: 700 });
});

test.each([
  ['from the future', { dateMs: startMs + 1 }],
  ['younger than what is buffered after it', { dateMs: startMs - 400 }],
  ['hours old', { dateMs: startMs - 3_600_000 }],
])('a frame %s has no known latency', (_, changes) => {
  expect(new LatencyWindow().add(look(0, changes))).toBeUndefined();
});

test('a latency is known if it is at most 100 ms less than what is buffered, not negative, and at most two minutes', () => {
  const totalOf = (totalMs: number, bufferMs: number) =>
    new LatencyWindow().add(look(0, { dateMs: startMs - totalMs, bufferMs }))?.totalMs;
  expect([499, 500, 120_000, 120_001].map((totalMs) => totalOf(totalMs, 600))).toEqual([undefined, 500, 120_000, undefined]);
  expect([-1, 0].map((totalMs) => totalOf(totalMs, 50))).toEqual([undefined, 0]);
});
