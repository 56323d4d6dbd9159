import { expect, test } from 'vitest';
import { MediaMeter } from './media-meter.ts';

/** Feeds 30 fps video, 10 000 bytes per frame, in real time with a keyframe every `gop` frames. */
function feedVideo(
  meter: MediaMeter,
  { frames, gop = 30, startMs = 0, atMs = 0 }: { frames: number; gop?: number; startMs?: number; atMs?: number },
) {
  for (let frame = 0; frame < frames; frame += 1) {
    const offsetMs = Math.round((frame * 1000) / 30);
    meter.add({ track: 'video', timeMs: startMs + offsetMs, sizeBytes: 10_000, keyframe: frame % gop === 0 }, atMs + offsetMs);
  }
}

test('undefined until one second has been measured', () => {
  const meter = new MediaMeter();
  feedVideo(meter, { frames: 15 });
  expect(meter.rates(500)).toEqual({ bitrateBps: undefined, fps: undefined });
  expect(meter.keyframeIntervalSeconds).toBeUndefined();
});

test('bitrate, frame rate and keyframe interval of a steady publisher', () => {
  const meter = new MediaMeter();
  feedVideo(meter, { frames: 300, gop: 60 });
  const { bitrateBps, fps } = meter.rates(10_000);
  expect(fps).toBeCloseTo(30, 0);
  expect((bitrateBps as number) / 2_400_000).toBeCloseTo(1, 1);
  expect(meter.keyframeIntervalSeconds).toBe(2);
});

test('the bitrate falls to zero while nothing arrives', () => {
  const meter = new MediaMeter();
  feedVideo(meter, { frames: 300 });
  expect((meter.rates(12_500).bitrateBps as number) / 1_200_000).toBeCloseTo(1, 1);
  expect(meter.rates(20_000)).toEqual({ bitrateBps: 0, fps: undefined });
});

test('a burst of arrivals does not raise the frame rate', () => {
  const meter = new MediaMeter();
  for (let frame = 0; frame < 120; frame += 1) {
    meter.add({ track: 'video', timeMs: Math.round((frame * 1000) / 30), sizeBytes: 1, keyframe: frame === 0 }, frame * 10);
  }
  expect(meter.rates(1_200).fps).toBeCloseTo(30, 1);
});

test('the keyframe interval is measured across the 32-bit wrap of timestamps', () => {
  const meter = new MediaMeter();
  feedVideo(meter, { frames: 90, gop: 30, startMs: 2 ** 32 - 1500 });
  expect(meter.keyframeIntervalSeconds).toBe(1);
});

test('a timestamp that jumps back makes the keyframe interval unknown', () => {
  const meter = new MediaMeter();
  feedVideo(meter, { frames: 60, startMs: 100_000 });
  feedVideo(meter, { frames: 1, startMs: 0, atMs: 2_000 });
  expect(meter.keyframeIntervalSeconds).toBeUndefined();
});

test.each([100_000, 20_000, -2_500, -100_000])('timestamps that jump by %i ms leave the frame rate as it is', (byMs) => {
  const meter = new MediaMeter();
  feedVideo(meter, { frames: 60, startMs: 200_000 });
  feedVideo(meter, { frames: 60, startMs: 202_000 + byMs, atMs: 2_000 });
  expect(meter.rates(4_000)).toEqual({ bitrateBps: expect.closeTo(2_400_000, -5), fps: expect.closeTo(30, 0) });
});

test('audio without video has a bitrate but no frame rate', () => {
  const meter = new MediaMeter();
  for (let atMs = 0; atMs <= 5_000; atMs += 20)
    meter.add({ track: 'audio', timeMs: atMs, sizeBytes: 400, keyframe: false }, atMs);
  const { bitrateBps, fps } = meter.rates(5_000);
  expect(fps).toBeUndefined();
  expect((bitrateBps as number) / 160_000).toBeCloseTo(1, 1);
});

test('frames that are missing lower the frame rate, one by one and up to the next keyframe', () => {
  const fpsOf = (isSent: (frame: number) => boolean) => {
    const meter = new MediaMeter();
    for (let frame = 0; frame < 300; frame += 1) {
      const ms = Math.round((frame * 1000) / 30);
      if (!isSent(frame)) continue;
      meter.add({ track: 'video', timeMs: ms, sizeBytes: 1, keyframe: frame % 60 === 0, nominalFps: 30 }, ms);
    }
    return meter.rates(10_000).fps;
  };
  expect(fpsOf((frame) => frame % 6 < 4)).toBeCloseTo(20, 0);
  // The drops of an encoder whose connection is too slow: it keeps 20 of each GOP's 60 frames.
  expect(fpsOf((frame) => frame % 60 < 20)).toBeLessThan(15);
});

test('for an encoder slower than real time the frame rate is per second of wall clock', () => {
  const meter = new MediaMeter();
  for (let frame = 0; frame < 450; frame += 1) {
    const mediaMs = Math.round((frame * 1000) / 30);
    meter.add({ track: 'video', timeMs: mediaMs, sizeBytes: 1, keyframe: frame === 0 }, mediaMs / 0.7);
  }
  expect(meter.rates(15_000 / 0.7).fps).toBeCloseTo(21, 0);
});

test('the pace is that of the audio while there is no video', () => {
  const meter = new MediaMeter();
  const feedAudio = (fromMs: number, toMs: number, pace: number) => {
    for (let ms = fromMs; ms < toMs; ms += 20)
      meter.add({ track: 'audio', timeMs: ms, sizeBytes: 400, keyframe: false }, ms / pace);
  };
  feedAudio(0, 15_000, 0.8);
  expect(meter.pace).toBeCloseTo(0.8, 1);
  feedVideo(meter, { frames: 30, startMs: 15_000, atMs: 18_750 });
  feedAudio(15_000, 17_000, 0.8);
  expect(meter.pace).toBe(1);
});

test('data other than frames counts in the bitrate, for as long as frames do', () => {
  const meter = new MediaMeter();
  for (let atMs = 0; atMs <= 5_000; atMs += 100) meter.addBytes(12_500, atMs);
  expect(meter.rates(5_000)).toEqual({ bitrateBps: expect.closeTo(1_000_000, -5), fps: undefined });
  expect(meter.rates(20_000)).toEqual({ bitrateBps: 0, fps: undefined });
});

test.each([
  ['in real time is reported', 1, true],
  ['too slowly is not: it may hold one track back more', 0.8, false],
])('drift of the sound of an encoder that sends %s', (_how, pace, isReported) => {
  const meter = new MediaMeter();
  for (let ms = 0; ms < 90_000; ms += 20) {
    meter.add({ track: 'audio', timeMs: ms * 1.002, sizeBytes: 400, keyframe: false }, ms / pace);
    if (ms % 40 === 0) meter.add({ track: 'video', timeMs: ms, sizeBytes: 400, keyframe: ms === 0 }, ms / pace);
  }
  expect(meter.driftMs !== undefined).toBe(isReported);
});
