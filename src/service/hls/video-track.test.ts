import { expect, test } from 'vitest';
import { avcRecords } from '../../../test/support/flv-builder.ts';
import { h264Format } from '../media/h264-format.ts';
import { VideoTrack } from './video-track.ts';

const parse = (name: keyof typeof avcRecords) => h264Format.parseRecord(Buffer.from(avcRecords[name], 'hex'));
const fixed = parse('1920x1080 at 30');
const variable = parse('1280x720');

/** Adds frames with these decode and composition times, in milliseconds; the first is a keyframe. */
function push(track: VideoTrack, times: readonly (readonly [number, number])[], config = fixed, held = false): void {
  for (const [index, [timeMs, compositionTimeMs]] of times.entries()) {
    const keyframe = index === 0;
    track.push({ timeMs, compositionTimeMs, keyframe, independent: keyframe, data: Buffer.from('picture'), config, held });
  }
}

/** Takes frames; each as its decode time, when it is shown and how long it lasts, in tenths of a millisecond. */
function take(track: VideoTrack, count = track.count): number[][] {
  track.assign(count);
  const run = track.take(count);
  let dts = run?.baseDecodeTime ?? 0;
  return (run?.samples ?? []).map(({ duration, compositionOffset }) => {
    dts += duration;
    return [dts - duration, dts - duration + compositionOffset, duration].map((ticks) => ticks / 9);
  });
}

test('at a fixed rate frames are decoded and shown on its grid, though they are stamped in whole milliseconds', () => {
  const track = new VideoTrack();
  push(track, [
    [0, 67],
    [33, 133],
    [67, 33],
    [100, 0],
    [133, 67],
    [167, 133],
  ]);
  expect(take(track)).toEqual([
    [667, 667, 333],
    [1000, 1667, 333],
    [1333, 1000, 334],
    [1667, 1000, 333],
    [2000, 2000, 333],
    [2333, 3000, 334],
  ]);
});

test('at a rate that varies frames are decoded and shown as they are stamped', () => {
  const track = new VideoTrack();
  push(
    track,
    [
      [0, 67],
      [33, 100],
      [71, 33],
      [90, 20],
      [133, 67],
      [180, 0],
      [200, 50],
    ],
    variable,
  );
  expect(track.rateSettled).toBe(true);
  expect(take(track)).toEqual([
    [670, 670, 330],
    [1000, 1330, 380],
    [1380, 1040, 190],
    [1570, 1100, 430],
    [2000, 2000, 470],
    [2470, 1800, 200],
    [2670, 2500, 200],
  ]);
});

/** 25 fps with B-frames: the ones that are shown at 240 and 280 ms never come. */
const cutOff = [
  [0, 80],
  [40, 160],
  [80, 40],
  [120, 40],
  [160, 160],
] as const;

test.each([0, 2, 4])(
  'the last frames are shown earlier if those before them never came, even if %i were taken before',
  (taken) => {
    const track = new VideoTrack();
    push(track, cutOff, variable);
    const before = take(track, taken);
    expect(track.finish()).toBe(280);
    expect([...before, ...take(track)]).toEqual([
      [800, 800, 400],
      [1200, 2000, 400],
      [1600, 1200, 400],
      [2000, 1600, 400],
      [2400, 2400, 400],
    ]);
  },
);

test('a timeline without video has no end', () => {
  expect(new VideoTrack().finish()).toBeUndefined();
});

test('waiting frames are counted and measured', () => {
  const track = new VideoTrack();
  push(track, cutOff, variable);
  track.assign(2);
  expect([track.count, track.assigned, track.sizeBytes, track.lastShownMs, track.endMs]).toEqual([5, 2, 35, 320, 280]);
  expect([0, 4, 5].map((index) => track.decodeMs(index))).toEqual([80, 240, Number.NaN]);
  expect([0, 1, 5].map((index) => track.isIndependent(index))).toEqual([true, false, false]);
  track.take(2);
  expect([track.count, track.assigned, track.sizeBytes]).toEqual([3, 0, 21]);
});

test('video that returns after a held picture may have a longer reorder time', () => {
  const track = new VideoTrack();
  push(track, [[0, 0]], fixed, true);
  expect(track.rateSettled).toBe(true);
  push(track, [
    [100, 67],
    [133, 67],
  ]);
  expect(take(track)).toEqual([
    [0, 0, 1667],
    [1667, 1667, 333],
    [2000, 2000, 333],
  ]);
});

test('a new timeline begins with nothing of the one before', () => {
  const track = new VideoTrack();
  const frames = [
    [5_000, 80],
    [5_040, 0],
    [5_080, 0],
  ] as const;
  push(track, frames, variable);
  take(track, 1);
  track.assign(1);
  track.restart();
  expect([track.count, track.assigned, track.sizeBytes, track.fps, track.rateSettled, track.finish()]).toEqual([
    0,
    0,
    0,
    undefined,
    false,
    undefined,
  ]);
  push(track, [[20, 0]]);
  expect(take(track)).toEqual([[200, 200, 333]]);
});
