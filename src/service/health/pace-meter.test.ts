import { expect, test } from 'vitest';
import { PaceMeter } from './pace-meter.ts';

/**
 * The pace after each frame, with 30 frames of media a second. `arrival` gives each frame's arrival time, in milliseconds, and
 * `stamp` its timestamp.
 */
function pacesOf(seconds: number, arrival: (mediaMs: number) => number, stamp = (mediaMs: number) => mediaMs) {
  const meter = new PaceMeter();
  return Array.from({ length: seconds * 30 }, (_, frame) => {
    const mediaMs = Math.round((frame * 1000) / 30);
    const atMs = arrival(mediaMs);
    meter.add(stamp(mediaMs), atMs);
    return { atMs, pace: meter.pace };
  });
}

/** Media that arrives in bursts of this much, at this multiple of real time. */
const inSteps = (stepMs: number, pace: number) => (mediaMs: number) => ((Math.floor(mediaMs / stepMs) + 1) * stepMs) / pace;
/** Media that is delayed by this much more every few milliseconds of media. */
const fallingBehind = (everyMs: number, byMs: number) => (mediaMs: number) => mediaMs + Math.floor(mediaMs / everyMs) * byMs;

test.each<[string, (mediaMs: number) => number]>([
  ['in real time', (mediaMs) => mediaMs],
  ['in real time, give or take 70 ms', (mediaMs) => mediaMs + 70 * Math.sin(mediaMs / 2_500)],
  ['eight seconds early at the start', (mediaMs) => Math.max(mediaMs - 8_000, 0)],
  ['eight seconds ahead within a minute of its start', (mediaMs) => Math.max(mediaMs / 1.2, mediaMs - 8_000)],
  [
    'twelve seconds late for a while, and then catches up',
    (mediaMs) => Math.max(mediaMs, Math.min(mediaMs, 12_000 + mediaMs / 2)),
  ],
  ['in bursts of half a second', inSteps(500, 1)],
  ['in bursts of two seconds', inSteps(2_000, 1)],
  ['in bursts that become longer', (mediaMs) => (Math.floor(Math.sqrt(mediaMs) / 10) + 1) ** 2 * 100],
  ['late by two seconds, once, and then all at once', (mediaMs) => Math.max(mediaMs, mediaMs > 16_000 ? 18_000 : 0)],
  [
    'at half the speed for four seconds, and then all at once',
    (mediaMs) => mediaMs + Math.min(Math.max(mediaMs - 15_000, 0), Math.max(19_000 - mediaMs, 0), 2_000),
  ],
  ['late by two seconds for good', (mediaMs) => mediaMs + (mediaMs > 9_000 ? 2_000 : 0)],
  ['late by a second and a half more every ten seconds', fallingBehind(10_000, 1_500)],
  [
    'half a minute late after an outage, and then catches up',
    (mediaMs) => (mediaMs < 20_000 ? mediaMs : Math.max(mediaMs, 50_000 + (mediaMs - 20_000) / 3)),
  ],
])('the pace of media that arrives %s is always 1', (_how, arrival) => {
  expect(pacesOf(90, arrival).filter(({ pace }) => pace !== 1)).toEqual([]);
});

test.each<[string, (mediaMs: number) => number, number, number]>([
  ['at 0.9', (mediaMs) => mediaMs / 0.9, 0.89, 0.91],
  ['at 0.7', (mediaMs) => mediaMs / 0.7, 0.69, 0.71],
  ['at 0.5', (mediaMs) => mediaMs / 0.5, 0.49, 0.51],
  ['at 0.8, in steps of a second', inSteps(1_000, 0.8), 0.79, 0.81],
  ['at 0.8, in steps of a second and a half', inSteps(1_500, 0.8), 0.79, 0.81],
  ['at 0.7, in steps of a second and a half', inSteps(1_500, 0.7), 0.69, 0.71],
  ['a second and a half later every three seconds', fallingBehind(3_000, 1_500), 0.5, 0.8],
])(
  'the pace of media that arrives %s is known when ten seconds have been measured, and stays',
  (_how, arrival, least, most) => {
    const paces = pacesOf(40, arrival);
    const known = paces.findIndex(({ pace }) => pace < 1);
    expect(paces[known]?.atMs).toBeGreaterThanOrEqual(10_000);
    expect(paces[known]?.atMs).toBeLessThan(17_000);
    expect(paces.slice(known).filter(({ pace }) => pace < least || pace > most)).toEqual([]);
  },
);

test.each<[string, number, (mediaMs: number) => number]>([
  ['a tenth', 1.1, (mediaMs) => mediaMs / 1.1],
  ['twice', 2, (mediaMs) => mediaMs / 2],
  ['twice, in steps of two seconds', 2, inSteps(2_000, 2)],
  ['thirty times', 30, (mediaMs) => mediaMs / 30],
])('an encoder that sends faster than real time by %s is found out once it is ten seconds ahead', (_how, pace, arrival) => {
  const paces = pacesOf(200 * pace, arrival);
  const known = paces.findIndex((each) => each.pace > 1);
  const { atMs = 0 } = paces[known] ?? {};
  expect(atMs * (pace - 1)).toBeGreaterThan(9_900);
  expect(atMs).toBeLessThan(Math.max(10_000, 10_000 / (pace - 1)) + 3_000);
  expect(paces.slice(known).filter((each) => Math.abs(each.pace / pace - 1) > 0.05)).toEqual([]);
});

test('an encoder that sent too fast is in time again once it sends in real time', () => {
  const paces = pacesOf(120, (mediaMs) => Math.max(mediaMs / 2, mediaMs - 30_000));
  const inTime = paces.findIndex(({ atMs, pace }) => atMs > 30_000 && pace === 1);
  expect(paces[inTime]?.atMs).toBeLessThan(33_500);
  expect(paces.slice(inTime).filter(({ pace }) => pace !== 1)).toEqual([]);
});

test('an encoder that was slow is in time once it has not been late for ten seconds, and stays so while it catches up', () => {
  const slowThen = (pace: number) => (mediaMs: number) =>
    Math.min(mediaMs, 20_000) / 0.7 + Math.max(mediaMs - 20_000, 0) / pace;
  for (const pace of [1, 1.4]) {
    const paces = pacesOf(40, slowThen(pace));
    const inTime = paces.findIndex(({ atMs, pace }) => atMs > 20_000 && pace === 1);
    expect(paces[inTime]?.atMs).toBeLessThan(20_000 / 0.7 + 10_000);
    expect(paces.slice(inTime).filter(({ pace }) => pace !== 1)).toEqual([]);
  }
});

test('timestamps that jump begin to be measured again: by themselves, they make no encoder slow or too fast', () => {
  const jumping = pacesOf(
    40,
    (mediaMs) => mediaMs,
    (mediaMs) => mediaMs - 6_000 * Math.floor(mediaMs / 2_600),
  );
  expect(jumping.filter(({ pace }) => pace !== 1)).toEqual([]);
  // Eight seconds ahead within a minute, as it may be when it starts.
  const ahead = pacesOf(
    90,
    (mediaMs) => Math.min(mediaMs, 20_000 + Math.max((mediaMs - 20_000) / 1.2, mediaMs - 28_000)),
    (mediaMs) => (mediaMs < 20_000 ? mediaMs : mediaMs + 3_600_000),
  );
  expect(ahead.filter(({ pace }) => pace !== 1)).toEqual([]);
  const slow = pacesOf(
    40,
    (mediaMs) => mediaMs / 0.5,
    (mediaMs) => (mediaMs < 20_000 ? mediaMs : mediaMs - 20_000),
  );
  const paceAt = (ms: number) => slow.find(({ atMs }) => atMs >= ms)?.pace;
  expect([39_000, 41_000, 49_000, 51_000].map(paceAt)).toEqual([0.5, 1, 1, 0.5].map((pace) => expect.closeTo(pace, 2)));
});
