import { expect, test } from 'vitest';
import { CaptureOffset } from './capture-offset.ts';

const startedAtMs = Date.UTC(2030, 0, 1);

/** Marks of 25 frames a second, each late by `delayMs`. */
function feed(offset: CaptureOffset, fromMs: number, toMs: number, delayMs: (timestampMs: number) => number) {
  for (let timestampMs = fromMs; timestampMs < toMs; timestampMs += 40) {
    offset.add(timestampMs, startedAtMs + timestampMs + delayMs(timestampMs));
  }
}

test('nothing is known before the first mark', () => {
  expect(new CaptureOffset().findCapture(0)).toBeUndefined();
});

test('marks that are late by chance change nothing: the one with the least delay counts', () => {
  const offset = new CaptureOffset();
  const captures: (number | undefined)[] = [];
  for (let second = 0; second < 20; second += 1) {
    // Some are 2 ms late, most 9 ms, and for ten seconds all are 600 ms late: the computer was busy.
    feed(offset, second * 1_000, (second + 1) * 1_000, (ms) => (second >= 8 && second < 18 ? 600 : ms % 200 === 0 ? 2 : 9));
    captures.push(offset.findCapture((second + 1) * 1_000));
  }
  expect(captures).toEqual(captures.map((_, second) => startedAtMs + (second + 1) * 1_000 + 2));
});

test('an earlier mark is followed at once, unless the difference is tiny', () => {
  const offset = new CaptureOffset();
  offset.add(0, startedAtMs + 80);
  offset.add(40, startedAtMs + 40 + 20);
  expect(offset.findCapture(40)).toBe(startedAtMs + 40 + 20);
  offset.add(80, startedAtMs + 80 + 16);
  expect(offset.findCapture(80)).toBe(startedAtMs + 80 + 20);
});

test('a source that paused is followed once a whole window is later', () => {
  const offset = new CaptureOffset();
  feed(offset, 0, 2_000, () => 3);
  feed(offset, 2_000, 16_000, () => 703);
  expect(offset.findCapture(16_000)).toBe(startedAtMs + 16_000 + 3);
  feed(offset, 16_000, 17_500, () => 703);
  expect(offset.findCapture(17_500)).toBe(startedAtMs + 17_500 + 703);
});

test('a wall clock that is set back is followed at once, one that is set forward after a window', () => {
  const offset = new CaptureOffset();
  feed(offset, 0, 1_000, () => 0);
  feed(offset, 1_000, 1_040, () => -3_600_000);
  expect(offset.findCapture(1_000)).toBe(startedAtMs + 1_000 - 3_600_000);
  feed(offset, 1_040, 17_000, () => 0);
  expect(offset.findCapture(17_000)).toBe(startedAtMs + 17_000);
});

test('an encoder slower than real time is followed mark by mark, and keeps its offset when it is fast enough again', () => {
  const offset = new CaptureOffset();
  const lateAt = (ms: number) => Math.min(Math.max(ms - 2_000, 0), 6_000) * 0.43;
  const errors: number[] = [];
  for (let timestampMs = 0; timestampMs < 12_000; timestampMs += 40) {
    feed(offset, timestampMs, timestampMs + 40, lateAt);
    const capturedAtMs = offset.findCapture(timestampMs) ?? Number.NaN;
    errors.push(capturedAtMs - startedAtMs - timestampMs - lateAt(timestampMs));
  }
  const slow = errors.slice(6_000 / 40);
  expect(Math.max(...slow.map(Math.abs))).toBeLessThan(20);
  // It takes some seconds to notice.
  expect(Math.min(...errors)).toBeGreaterThan(-2_000);
});

test('wrapped timestamps match marks that do not wrap', () => {
  const offset = new CaptureOffset();
  offset.add(2 ** 32 + 500.3, startedAtMs);
  expect(offset.findCapture(400)).toBeCloseTo(startedAtMs - 100.3, 2);
  expect(offset.findCapture(2 ** 32 - 100)).toBeCloseTo(startedAtMs - 600.3, 2);
});
