import { expect, test } from 'vitest';
import { SimulatedWay, type SimulatedWayOptions, sendVideo } from '../../../test/support/simulated-way.ts';
import { FrameDropper } from '../bitrate/frame-dropper.ts';

const mbps = 1_000_000;
const videoBps = () => 3 * mbps;

function measureAfter(ms: number, options: SimulatedWayOptions) {
  const way = new SimulatedWay(options);
  sendVideo(way, { ms, videoBps });
  const measure = way.meter.measure(way.now);
  if (measure === undefined) throw new Error('There was no acknowledgement.');
  return measure;
}

test('before the first acknowledgement nothing is known', () => {
  expect(new SimulatedWay({ capacityBps: () => mbps }).meter.measure(0)).toBeUndefined();
});

test('a way with room has no queue, however long it is and however large keyframes are', () => {
  for (const roundTripMs of [0, 50, 200, 2_000]) {
    for (const capacity of [100, 6, 4.5]) {
      const { queueMs, carried } = measureAfter(20_000, { capacityBps: () => capacity * mbps, roundTripMs: () => roundTripMs });
      expect(queueMs, `${roundTripMs} ms, ${capacity} Mbit/s`).toBeLessThan(50);
      expect(carried?.isLimit).toBe(false);
      expect((carried?.bps ?? 0) / 3_160_000).toBeCloseTo(1, 0);
    }
  }
});

test('a way that carries a quarter has a queue of over 200 ms within two seconds, and its limit is known', () => {
  for (const roundTripMs of [0, 200]) {
    const way = new SimulatedWay({
      capacityBps: (atMs) => (atMs < 10_000 ? 100 * mbps : 0.79 * mbps),
      roundTripMs: () => roundTripMs,
    });
    sendVideo(way, { ms: 10_000, videoBps });
    let seenAfterMs: number | undefined;
    let waitsAfterMs: number | undefined;
    sendVideo(way, {
      ms: 3_000,
      videoBps,
      onFrame({ measure }) {
        if ((measure?.queueMs ?? 0) >= 200) seenAfterMs ??= way.now - 10_000;
        if ((measure?.waitMs ?? 0) >= 700) waitsAfterMs ??= way.now - 10_000;
        return true;
      },
    });
    expect(seenAfterMs).toBeLessThan(1_800);
    expect(waitsAfterMs).toBeLessThan(1_000);
    const { carried } = way.meter.measure(way.now) ?? {};
    expect(carried?.isLimit).toBe(true);
    expect((carried?.bps ?? 0) / (0.79 * mbps)).toBeCloseTo(1, 1);
  }
});

test('a way that gets longer by two seconds has no queue once bytes arrive evenly again', () => {
  const way = new SimulatedWay({
    capacityBps: () => 100 * mbps,
    roundTripMs: (atMs) => (atMs < 10_000 ? 20 : 2_020),
  });
  sendVideo(way, { ms: 10_000, videoBps });
  // Until then a longer way can't be told from a blocked one.
  sendVideo(way, { ms: 4_500, videoBps });
  expect(way.meter.measure(way.now)?.queueMs).toBeLessThan(50);
});

test('a way that is blocked for two seconds has a queue meanwhile, and none soon after', () => {
  const way = new SimulatedWay({ capacityBps: (atMs) => (atMs > 10_000 && atMs < 12_000 ? 0 : 20 * mbps) });
  sendVideo(way, { ms: 11_900, videoBps });
  const blocked = way.meter.measure(way.now);
  expect(blocked?.queueMs).toBeGreaterThan(700);
  // That doesn't tell how much the way carries when it isn't blocked.
  expect(blocked?.carried?.isLimit).not.toBe(true);
  sendVideo(way, { ms: 2_000, videoBps });
  expect(way.meter.measure(way.now)).toMatchObject({ queueMs: expect.closeTo(0, -2), waitMs: expect.closeTo(0, -2) });
});

test('a peer that acknowledges seldom is not taken for a slow one', () => {
  const { queueMs } = measureAfter(30_000, { capacityBps: () => 100 * mbps, windowBytes: 2_500_000 });
  expect(queueMs).toBeLessThan(50);
});

/** How long frames are dropped in a row at most, in milliseconds, if the way is blocked for 1.2 s at a time. */
function longestFreezeMs(windowBytes: number, blockedAtMs: number): number {
  const isBlocked = (atMs: number) => atMs >= blockedAtMs && atMs < blockedAtMs + 1_200;
  const way = new SimulatedWay({ capacityBps: (atMs) => (isBlocked(atMs) ? 0 : 100 * mbps), windowBytes });
  const dropper = new FrameDropper();
  let takenAtMs = 0;
  let longestMs = 0;
  sendVideo(way, {
    ms: blockedAtMs + 30_000,
    videoBps,
    onFrame({ isKeyframe, measure }) {
      const isTaken = dropper.take({ isKeyframe, isDisposable: false }, measure?.waitMs ?? 0);
      longestMs = Math.max(longestMs, way.now - takenAtMs);
      if (isTaken) takenAtMs = way.now;
      return isTaken;
    },
  });
  return longestMs;
}

test.each([2_500_000, 5_000_000])(
  'a peer that acknowledges every %i bytes, once late, is not taken for slow until it does again',
  (windowBytes) => {
    // At all distances from the next acknowledgement.
    for (let blockedAtMs = 30_000; blockedAtMs < 44_000; blockedAtMs += 700)
      expect(longestFreezeMs(windowBytes, blockedAtMs), `blocked at ${blockedAtMs} ms`).toBeLessThan(3_000);
  },
);

test('a pause of the encoder is no queue, whatever the peer has left unacknowledged', () => {
  for (const uncountedBytes of [0, 3_073]) {
    for (let frames = 0; frames < 60; frames += 1) {
      const way = new SimulatedWay({ capacityBps: () => 100 * mbps, roundTripMs: () => 20, uncountedBytes });
      // Frames of all sizes, so that the pause comes at all distances from the next acknowledgement.
      let frame = 0;
      const videoBps = () => (0.5 + (((frame++ * 37) % 100) / 100) * 1.5) * mbps;
      sendVideo(way, { ms: 10_000 + (frames * 1000) / 30, videoBps });
      const measures: { queueMs: number; waitMs: number }[] = [];
      for (let ms = 0; ms < 5_000; ms += 1) {
        way.pass();
        if (ms % 50 === 0) measures.push(way.meter.measure(way.now) ?? { queueMs: Number.NaN, waitMs: Number.NaN });
      }
      sendVideo(way, {
        ms: 1_000,
        videoBps,
        onFrame({ measure }) {
          if (measure) measures.push(measure);
          return true;
        },
      });
      const name = `${uncountedBytes} bytes uncounted, ${frames} frames`;
      expect(Math.max(...measures.map(({ queueMs }) => queueMs)), name).toBeLessThan(200);
      expect(Math.max(...measures.map(({ waitMs }) => waitMs)), name).toBeLessThan(700);
    }
  }
});
