import { expect, test } from 'vitest';
import { PaceMeter } from './pace-meter.ts';

/** 30 frames of media a second; `arrival` gives the arrival time of each, in milliseconds. */
function paceOf(seconds: number, arrival: (mediaMs: number) => number): number {
  const meter = new PaceMeter();
  for (let frame = 0; frame < seconds * 30; frame += 1) {
    const mediaMs = Math.round((frame * 1000) / 30);
    meter.add(mediaMs, arrival(mediaMs));
  }
  return meter.pace;
}

test.each([
  ['in real time', (mediaMs: number) => mediaMs, 1],
  ['slower than real time', (mediaMs: number) => mediaMs / 0.7, 0.7],
  ['at half the speed', (mediaMs: number) => mediaMs / 0.5, 0.5],
  ['faster than real time', (mediaMs: number) => mediaMs / 2, 1],
  ['in bursts of half a second', (mediaMs: number) => Math.ceil((mediaMs + 1) / 500) * 500, 1],
  ['late by two seconds, once, and then all at once', (mediaMs: number) => Math.max(mediaMs, mediaMs > 16_000 ? 18_000 : 0), 1],
])('the pace of media that arrives %s', (_how, arrival, pace) => {
  expect(paceOf(20, arrival)).toBeCloseTo(pace, 1);
});

test('the pace is 1 until ten seconds have been measured, and after a jump of timestamps', () => {
  expect(paceOf(3, (mediaMs) => mediaMs / 0.5)).toBe(1);
  expect(paceOf(20, (mediaMs) => mediaMs / 0.5 + (mediaMs > 18_000 ? 60_000 : 0))).toBe(1);
});

test.each([10, 11, 12, 13, 15, 17, 18, 19])(
  'a delay of two seconds that lasts is no slow encoder %i s after the start',
  (seconds) => {
    expect(paceOf(seconds, (mediaMs) => mediaMs + (mediaMs > 9_000 ? 2_000 : 0))).toBe(1);
  },
);
