import { expect, test } from 'vitest';
import { DriftMeter } from './drift-meter.ts';

interface Show {
  seconds: number;
  /** The audio's timestamps at this time of day, in milliseconds; as the time by default. */
  audioMs?: (ms: number) => number;
  videoMs?: (ms: number) => number;
  /** How long a frame takes to arrive, depending on when it was sent. */
  delayMs?: (ms: number, track: 'audio' | 'video', index: number) => number;
  isHeldUp?: (ms: number) => boolean;
  /** Whether a frame arrives at all. */
  isSent?: (ms: number, track: 'audio' | 'video') => boolean;
  /** Whether a muxer sends both tracks in the order of their timestamps. */
  isMuxed?: boolean;
}

/** Plays a show of AAC and 30 pictures a second, in order of arrival; returns the reported drift at the end of each 5 s. */
function play(
  {
    seconds,
    audioMs = (ms) => ms,
    videoMs = (ms) => ms,
    delayMs = () => 20,
    isHeldUp = () => false,
    isSent = () => true,
    isMuxed = false,
  }: Show,
  meter = new DriftMeter(),
) {
  const frames = (track: 'audio' | 'video', everyMs: number, timestamp: (ms: number) => number) =>
    Array.from({ length: Math.floor((seconds * 1000) / everyMs) }, (_, index) => {
      const sentMs = index * everyMs;
      const timestampMs = Math.round(timestamp(sentMs));
      return { track, sentMs, timestampMs, atMs: 1_000_000 + Math.round(sentMs + delayMs(sentMs, track, index)) };
    });
  const all = [...frames('audio', 1024 / 48, audioMs), ...frames('video', 1000 / 30, videoMs)];
  const sent = all.filter(({ sentMs, track }) => isSent(sentMs, track));
  let newestMs = 0;
  if (isMuxed) {
    for (const frame of sent.sort((a, b) => a.sentMs - b.sentMs)) {
      newestMs = Math.max(newestMs, frame.atMs);
      frame.atMs = newestMs;
    }
  }
  const told: (number | undefined)[] = [];
  let nextMs = 5_000;
  for (const { track, sentMs, timestampMs, atMs } of sent.sort((a, b) => a.atMs - b.atMs)) {
    meter.add(track, timestampMs, atMs, () => isHeldUp(sentMs));
    if (sentMs < nextMs) continue;
    told.push(meter.driftMs);
    nextMs += 5_000;
  }
  return told;
}

/** A pseudo-random number from 0 to 1 for each index. */
const random = (index: number) => Math.abs(Math.sin(index * 12.9898) * 43_758.5453) % 1;
/** How much later video comes than at first, in each window. */
const changesMs = [200, 100, -200, -300, 200, -300, 200, -100, -100];
const never = (told: readonly unknown[]) => told.every((driftMs) => driftMs === undefined);

test.each<[string, Omit<Show, 'seconds'>]>([
  ['a steady broadcast', {}],
  ['audio that is sent half a second before its video', { audioMs: (ms) => ms + 500 }],
  ['a jittery network', { delayMs: (_ms, _track, index) => 20 + 300 * random(index) ** 3 }],
  ['a network that gets slower and recovers, for all alike', { delayMs: (ms) => 20 + 400 * Math.abs(Math.sin(ms / 30_000)) }],
  [
    'keyframes that take 400 ms on their way',
    { delayMs: (_ms, track, index) => (track === 'video' && index % 60 === 0 ? 400 : 20) },
  ],
  ['audio that comes in pieces of half a second', { delayMs: (ms, track) => (track === 'audio' ? 500 - (ms % 500) : 20) }],
  [
    'video that is delayed by 300 ms more from some time on',
    { delayMs: (ms, track) => (track === 'video' && ms > 50_000 ? 320 : 20) },
  ],
  [
    'audio that is delayed by 100 ms more from some time on',
    { delayMs: (ms, track) => (track === 'audio' && ms > 50_000 ? 120 : 20) },
  ],
  ['audio that is away for 40 s', { isSent: (ms, track) => track === 'video' || ms < 50_000 || ms > 90_000 }],
  [
    'one track that is held up for 8 s and catches up',
    { delayMs: (ms, track) => (track === 'audio' && ms > 50_000 && ms < 58_000 ? 58_020 - ms : 20) },
  ],
  [
    'a publisher that begins with 3 s at once',
    { delayMs: (ms, track) => (ms < 3_000 ? 3_000 - ms + (track === 'video' ? 90 : 0) : 20) },
  ],
  [
    'video that is 300 ms late at the start, and catches up in 15 s',
    { delayMs: (ms, track) => (track === 'video' ? 20 + Math.max(0, 300 - ms / 50) : 20) },
  ],
  [
    'video that keeps changing between earlier and later than its audio',
    { delayMs: (ms, track) => (track === 'video' ? 320 + (changesMs[Math.floor(ms / 5_016)] ?? 0) : 20) },
  ],
  ['clocks that are 20 ppm apart, for 5 min', { audioMs: (ms) => ms * 1.00002 }],
  [
    'timestamps that start again',
    { audioMs: (ms) => (ms > 60_000 ? ms - 60_000 : ms), videoMs: (ms) => (ms > 61_000 ? ms - 60_000 : ms) },
  ],
  [
    'an encoder that is overloaded',
    { videoMs: (ms) => (ms < 60_000 ? ms : 60_000 + (ms - 60_000) * 0.9), isHeldUp: (ms) => ms >= 60_000 },
  ],
])('%s is no drift', (_name, show) => {
  expect(never(play({ seconds: 300, ...show }))).toBe(true);
});

/** A pseudo-random number, normally distributed with a deviation of 1, for each even index. */
const normal = (index: number) => Math.sqrt(-2 * Math.log(random(index) + 1e-9)) * Math.cos(2 * Math.PI * random(index + 1));

test.each([false, true])(
  'one picture a second with jitter of tenths of a second is hardly ever a drift (in order: %s)',
  (isMuxed) => {
    const isSent = (ms: number, track: string) => track === 'audio' || Math.round(ms) % 1_000 === 0;
    const makeJitter = (show: number) => (_ms: number, track: string, index: number) => {
      return 20 - 100 * Math.log(random(100_000 * show + 2 * index + (track === 'audio' ? 1 : 0)) + 1e-9);
    };
    const shows = Array.from({ length: 50 }, (_, show) => play({ seconds: 300, isSent, isMuxed, delayMs: makeJitter(show) }));
    expect(shows.filter((told) => !never(told)).length).toBeLessThanOrEqual(5);
  },
);

test('single windows that are off by up to 230 ms, either way, are no drift', () => {
  const makeSpikes = (show: number) => (ms: number, track: string) => {
    const index = 1_000 * show + 2 * Math.floor(ms / 5_000);
    if (track === 'audio' || random(index) > 0.08) return 320;
    return 320 + (random(index + 1) - 0.5) * 460;
  };
  const shows = Array.from({ length: 10 }, (_, show) => play({ seconds: 600, delayMs: makeSpikes(show) }));
  expect(shows.every(never)).toBe(true);
});

test('windows that are 100 ms off, alternately early and late, are no drift', () => {
  // The meter's windows begin every 5013 ms, and the delays are those of 3 s in the middle of each.
  const delayMs = (ms: number, track: string) => {
    const window = Math.floor(ms / 5_013) - 14;
    if (window < 0 || window > 3) return 220;
    const isMiddle = ms % 5_013 > 1_000 && ms % 5_013 < 4_000;
    const lateTrack = window % 2 === 1 ? 'audio' : 'video';
    return (isMiddle ? 220 : 520) + (track === lateTrack ? 100 : 0);
  };
  expect(never(play({ seconds: 200, delayMs }))).toBe(true);
});

/** The drift that the meter reports after each of its windows, if video comes by this much later than audio in it. */
function playWindows(offsetsMs: readonly number[]): (number | undefined)[] {
  const meter = new DriftMeter();
  const notHeldUp = () => false;
  return offsetsMs.map((offsetMs, index) => {
    const ms = index * 6_000;
    meter.add('audio', ms, ms, notHeldUp);
    meter.add('video', ms, ms + 1_000 + offsetMs, notHeldUp);
    meter.add('audio', ms + 5_500, ms + 5_500, notHeldUp);
    return meter.driftMs;
  });
}

const isDrift = (offsetsMs: readonly number[]) => !never(playWindows(offsetsMs));

test('an encoder that buffers video now and then, with windows that differ by 10 ms at random, is hardly ever a drift in an hour', () => {
  const makeOffsets = (show: number) =>
    Array.from({ length: 720 }, (_, window) => {
      const piece = Math.floor(window / 60);
      const bufferedMs = piece % 2 === 1 ? 80 + 300 * random(7_777 + 100 * show + piece) : 0;
      return bufferedMs + 10 * normal(10_000 * show + 2 * window);
    });
  const shows = Array.from({ length: 50 }, (_, show) => isDrift(makeOffsets(show)));
  expect(shows.filter(Boolean).length).toBeLessThanOrEqual(5);
});

test.each([
  { deviationMs: 20, windows: 60, atMost: 1 },
  { deviationMs: 50, windows: 60, atMost: 2 },
  { deviationMs: 30, windows: 720, atMost: 10 },
])(
  '$windows windows that differ by $deviationMs ms at random are a drift in $atMost of 50 shows at most',
  ({ deviationMs, windows, atMost }) => {
    const makeOffsets = (show: number) =>
      Array.from({ length: windows }, (_, window) => deviationMs * normal(10_000 * show + 2 * window));
    const shows = Array.from({ length: 50 }, (_, show) => isDrift(makeOffsets(show)));
    expect(shows.filter(Boolean).length).toBeLessThanOrEqual(atMost);
  },
);

test('a drift that is found hardly ever ends, though windows differ by 40 ms at random', () => {
  const shows = Array.from({ length: 50 }, (_, show) =>
    playWindows(Array.from({ length: 240 }, (_, window) => window + 40 * normal(10_000 * show + 2 * window))),
  );
  expect(shows.filter(never).length).toBeLessThanOrEqual(5);
  const ends = shows.filter((told) => told.some((driftMs, index) => driftMs === undefined && told[index - 1] !== undefined));
  expect(ends.length).toBeLessThanOrEqual(5);
});

test('a single odd window during a drift neither ends nor reverses it', () => {
  const delayMs = (ms: number, track: string) => (track === 'video' && ms % 60_000 > 50_000 && ms % 60_000 < 56_000 ? 20 : 420);
  const told = play({ seconds: 600, audioMs: (ms) => ms * 1.0005, delayMs });
  const first = told.findIndex((driftMs) => driftMs !== undefined);
  expect(first).toBeGreaterThan(0);
  expect(told.slice(first).filter((driftMs = 0) => driftMs < 60)).toEqual([]);
});

/** Normally distributed delays that change every 5 s, as those of a network whose jitter comes and goes. */
function makeUneven(deviationMs: number, show: number) {
  return (ms: number, track: 'audio' | 'video') =>
    track === 'audio' ? 220 : 220 + deviationMs * normal(1_000 * show + 2 * Math.floor(ms / 5_000));
}

test.each([300, 1_000])('clocks that are %i ppm apart are found though windows differ by 20 ms, and stay found', (ppm) => {
  const seconds = 400_000 / ppm;
  const shows = Array.from({ length: 10 }, (_, show) =>
    play({ seconds, audioMs: (ms) => ms * (1 + ppm / 1e6), delayMs: makeUneven(20, show) }),
  );
  // They are 80 ms apart at a fifth of it.
  for (const told of shows) {
    const first = told.findIndex((driftMs) => driftMs !== undefined) / told.length;
    expect(first).toBeGreaterThan(0.1);
    expect(first).toBeLessThan(0.4);
    expect(told.slice(Math.ceil(told.length / 2))).not.toContain(undefined);
  }
});

test('an audio clock that is 1 % fast makes sound late, and is reported within a minute', () => {
  const told = play({ seconds: 60, audioMs: (ms) => ms * 1.01 });
  const first = told.findIndex((driftMs) => driftMs !== undefined);
  expect((first + 1) * 5).toBeLessThanOrEqual(45);
  expect(told[first]).toBeGreaterThanOrEqual(80);
  expect(told.at(-1)).toBeGreaterThan(250);
});

test.each([
  ['an audio clock that is slow makes sound early', { audioMs: (ms: number) => ms * 0.99 }],
  ['a video clock that is fast makes sound early', { videoMs: (ms: number) => ms * 1.01 }],
  ['a sample rate that is wrong by 9 % is no series of steps', { audioMs: (ms: number) => ms * 0.91875 }],
  [
    'a drift is found through jitter',
    { audioMs: (ms: number) => ms * 0.99, delayMs: (_ms: number, _track: string, index: number) => 20 + 200 * random(index) },
  ],
])('%s', (_name, show) => {
  const told = play({ seconds: 60, ...show });
  expect(told.at(-1)).toBeLessThan(-200);
});

test('a clock that is 100 ppm off is reported after a quarter of an hour, when both are 80 ms apart', () => {
  const told = play({ seconds: 1_200, audioMs: (ms) => ms * 1.0001 });
  const first = (told.findIndex((driftMs) => driftMs !== undefined) + 1) * 5;
  expect(first).toBeGreaterThan(800);
  expect(first).toBeLessThan(900);
});

test('once both are together again, it is over', () => {
  const rising = (ms: number) => Math.min(Math.max(ms - 40_000, 0), 60_000) / 400;
  const told = play({ seconds: 200, audioMs: (ms) => ms + rising(ms) - rising(ms - 60_000) });
  expect(Math.max(...told.map((driftMs = 0) => driftMs))).toBeGreaterThan(100);
  expect(told.at(-1)).toBeUndefined();
});

test('media that is late by seconds is on the timeline it was on: a drift is still known after it', () => {
  const held = (ms: number) => (ms > 80_000 && ms < 88_000 ? 88_020 - ms : 20);
  const told = play({ seconds: 120, audioMs: (ms) => ms * 1.002, delayMs: held });
  expect(told.at(15)).toBeGreaterThan(80);
  expect(told.slice(15).every((driftMs) => driftMs !== undefined)).toBe(true);
  expect(told.at(-1)).toBeGreaterThan(180);
});

test('a step during a drift adds nothing to it', () => {
  const audioMs = (ms: number) => ms * 1.004;
  const delayMs = (ms: number, track: string) => (track === 'video' && ms >= 62_500 ? 320 : 20);
  expect(play({ seconds: 120, audioMs, delayMs }).slice(-4)).toEqual(play({ seconds: 120, audioMs }).slice(-4));
});

test('a drift is known again after one track was away', () => {
  const isSent = (ms: number, track: string) => track === 'video' || ms < 60_000 || ms > 72_000;
  const told = play({ seconds: 120, audioMs: (ms) => ms * 1.002, isSent });
  expect(told.at(-1)).toBeGreaterThan(180);
});

test('timestamps that start again are compared from the beginning: the distance of the tracks by then is how they are sent', () => {
  const again = (ms: number) => (ms > 100_000 ? ms - 100_000 : ms);
  const told = play({ seconds: 200, audioMs: (ms) => again(ms) + Math.min(ms, 100_000) * 0.002, videoMs: again });
  expect(told.at(18)).toBeGreaterThan(100);
  expect(never(told.slice(20))).toBe(true);
});

test('a drift is reported from 80 ms on, and is over below 60 ms', () => {
  // Rises to 85 ms, stays at 70, and then at 50.
  const apart = (ms: number) => {
    if (ms < 90_000) return Math.max(ms - 50_000, 0) * (85 / 40_000);
    if (ms < 130_000) return 85;
    return ms < 200_000 ? 70 : 50;
  };
  const told = play({ seconds: 260, audioMs: (ms) => ms + apart(ms) });
  const changes = told.filter((driftMs, index) => driftMs !== told[index - 1]);
  expect(changes).toEqual([85, 70, undefined]);
});
