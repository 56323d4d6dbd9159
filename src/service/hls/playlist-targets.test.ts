import { describe, expect, it } from 'vitest';
import { chooseAudioPartTarget, choosePartTarget, chooseTargetDuration, longestSegmentMs } from './playlist-targets.ts';

/** Rounded to a microsecond. */
const inMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000;

describe('the target duration', () => {
  it.each([
    // A GOP may be 0.1 s longer than the first, or 4 %.
    [2_000, 2_000, 2],
    [2_399, 2_000, 2],
    [2_400, 2_000, 3],
    [10_000, 2_000, 10],
    [11_058, 2_000, 12],
    [11_057, 2_000, 11],
    // Segments of short GOPs, and of audio only, are as long as they aim to be.
    [500, 2_000, 2],
    [0, 2_600, 3],
    [0, 300, 1],
  ])('holds for the GOPs after a first one of %i ms if segments aim at %i ms: %i s', (segmentMs, aimMs, seconds) => {
    expect(chooseTargetDuration(segmentMs, aimMs)).toBe(seconds);
  });

  it('allows segments that still round to it', () => {
    expect(longestSegmentMs({ durationSeconds: 6 })).toBe(6_499);
  });
});

describe('the part target', () => {
  const at = (fps: number | undefined, gopMs: number, fpsPromised = true) =>
    inMicroseconds(choosePartTarget({ gopMs, fps, fpsPromised }, 200, 2_000));

  it.each([
    [30, 1_000, 200],
    [30_000 / 1001, 1_001, 200.2],
    // Parts of 5 frames are nearer, but would leave one of 4; hls.js wouldn't notice that it lacks one of 4.
    [24, 1_000, 250],
    // The last of four parts has 6 of 7 frames, which is long enough.
    [30, 900, 233.333],
    // Neither 5, 6 nor 7 frames divide these.
    [30, 29_000 / 30, 200],
    [30, 32_000 / 30, 200],
    // Of two as near: the one that hls.js notices.
    [27.5, 30_000 / 27.5, 218.182],
    // No part is longer than the GOP.
    [35, 6_000 / 35, 171.429],
    // One GOP is a segment: it need not be divided evenly, but parts of 5 frames would leave one of 3, which hls.js might leave out.
    [24, 2_000, 250],
    [60, 250_000 / 60, 233.333],
    // Parts of 12 and of 15 frames divide this: the nearest.
    [60, 1_000, 200],
    // Parts of 20 frames leave one of 17, which is just long enough; those of 19, which leave one of 18, are further from the wanted length.
    [120, 37_000 / 120, 166.667],
    // A GOP that is a segment may end with a part of 12 of 15 frames: the first that hls.js notices.
    [60, 147_000 / 60, 250],
    // Of 5, 6 and 7 frames, none is better here.
    [30, 250_000 / 30, 200],
    // Frames last longer than a part should.
    [2, 1_000, 500],
  ])(
    'is a whole number of frames that divides a GOP of which a segment has several: at %f fps, GOPs of %f ms',
    (fps, gopMs, ms) => {
      expect(at(fps, gopMs)).toBe(ms);
    },
  );

  it.each([
    [1_001, 200.2],
    [1_000.5, 200.1],
    [1_010, 200.2],
    [990, 200],
    [10, 200],
  ])('follows the GOP, by a thousandth at most, if the rate is only measured: 30 fps, GOPs of %f ms', (gopMs, ms) => {
    expect(at(30, gopMs, false)).toBe(ms);
    expect(at(30, gopMs, true)).toBe(200);
  });

  it.each([
    [1_000, 200],
    [1_100, 183.333],
    [300, 150],
    [260, 200],
    [80, 200],
    [250, 250],
    [1_249.5, 208.25],
    [1_270, 200],
  ])('divides the GOP evenly if frames come at any time and the length stays within a quarter: GOPs of %f ms', (gopMs, ms) => {
    expect(at(undefined, gopMs, false)).toBe(ms);
  });

  it.each([
    [1024 / 48, 192],
    [1024 / 44.1, 208.98],
    [20, 200],
    [450, 450],
  ])('is a whole number of frames if there is only audio, of %f ms', (frameMs, ms) => {
    expect(inMicroseconds(chooseAudioPartTarget(frameMs, 200))).toBe(ms);
  });
});
