import { expect, test } from 'vitest';
import { DroppedFrames } from './dropped-frames.ts';

function count(seconds: number, fps: number, isSent: (frame: number) => boolean = () => true): DroppedFrames {
  const dropped = new DroppedFrames();
  for (let frame = 0; frame <= seconds * fps; frame += 1) if (isSent(frame)) dropped.add(Math.round((frame * 1000) / fps));
  return dropped;
}

/** Sends nine of ten frames. */
const isTenthMissing = (frame: number) => frame % 10 !== 5;

test('unknown for the first ten seconds, or without a frame rate', () => {
  expect([count(9.9, 30).read(30), count(20, 30).read(undefined)]).toEqual([undefined, undefined]);
  expect(count(10, 30).read(30)).toEqual({ count: 0, ratio: 0 });
});

test.each([24, 25, 29.97, 30, 50, 60])('a steady encoder at %s fps drops none', (fps) => {
  expect(count(90, fps).read(fps)).toEqual({ count: 0, ratio: 0 });
});

test('gaps in timestamps count as dropped frames, over the last minute', () => {
  expect(count(20, 30, isTenthMissing).read(30)).toEqual({ count: 60, ratio: 0.1 });
  const until = (second: number) => count(120, 30, (frame) => frame > second * 30 || isTenthMissing(frame)).read(30);
  expect([until(58), until(90)]).toEqual([
    { count: 0, ratio: 0 },
    { count: 90, ratio: 0.05 },
  ]);
});

test('losses are repeated if at least five seconds between them are complete', () => {
  const repeatedAt = (...seconds: number[]) =>
    count(65, 30, (frame) => !seconds.some((second) => frame >= second * 30 && frame < second * 30 + 15)).read(30)?.isRepeated;
  expect([repeatedAt(), repeatedAt(20), repeatedAt(20, 24), repeatedAt(20, 24, 28), repeatedAt(20, 30)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    true,
  ]);
  // The first is more than a minute ago.
  expect(repeatedAt(2, 30)).toBeUndefined();
  expect(count(60, 30, isTenthMissing).read(30)?.isRepeated).toBeUndefined();
});

test('a loss is a second that lacks a tenth of its frames, however they are spread; it ends with that second', () => {
  const isRepeated = (frames: number, later: number) => {
    const isLost = (frame: number) =>
      [20, later].includes(Math.floor(frame / 30)) && frame % 10 === 5 && frame % 30 < frames * 10;
    return count(65, 30, (frame) => !isLost(frame)).read(30)?.isRepeated;
  };
  expect([isRepeated(2, 30), isRepeated(3, 30), isRepeated(3, 25), isRepeated(3, 26)]).toEqual([
    undefined,
    true,
    undefined,
    true,
  ]);
});

test('less than 3 frames of 1000 are rounding', () => {
  const withoutEvery = (frames: number) => count(60, 30, (frame) => frame % frames !== 5).read(30);
  expect([withoutEvery(300), withoutEvery(360)]).toEqual([
    { count: 6, ratio: 6 / 1_800 },
    { count: 0, ratio: 0 },
  ]);
});

test.each([500_000, 0])('a jump of timestamps to %i is no dropped frame: counting begins again', (toMs) => {
  const dropped = count(20, 30);
  dropped.add(toMs);
  expect(dropped.read(30)).toBeUndefined();
  for (let frame = 1; frame <= 20 * 30; frame += 1)
    if (isTenthMissing(frame)) dropped.add(toMs + Math.round((frame * 1000) / 30));
  expect(dropped.read(30)).toEqual({ count: 60, ratio: 0.1 });
});

test('an encoder that changes to a higher frame rate has not dropped the frames that it did not make before', () => {
  const dropped = count(60, 30);
  expect(dropped.read(30)).toEqual({ count: 0, ratio: 0 });
  const told = [];
  for (let frame = 1; frame <= 20 * 60; frame += 1) {
    dropped.add(60_000 + Math.round((frame * 1000) / 60));
    if (frame % 60 === 0) told.push(dropped.read(60));
  }
  expect(told.slice(0, 10).every((each) => each === undefined)).toBe(true);
  expect(told.at(-1)).toEqual({ count: 0, ratio: 0 });
});

/** A counter of 50 frames a second whose source is slower at times. */
function followSource() {
  const dropped = new DroppedFrames();
  let nowMs = 0;
  dropped.add(0);
  return {
    read: () => dropped.read(50),
    jump(ms: number) {
      nowMs += ms;
    },
    addSlower(seconds: number) {
      for (let frame = 0; frame < seconds * 10; frame += 1) {
        nowMs += 100;
        dropped.add(nowMs, { ms: 100, frames: 1 });
      }
    },
    add(seconds: number, isSent: (frame: number) => boolean = () => true) {
      for (let frame = 0; frame < seconds * 50; frame += 1) {
        nowMs += 20;
        if (isSent(frame)) dropped.add(nowMs);
      }
    },
  };
}

test("a slower source's media is left out for as long as it is counted, and no longer", () => {
  const { add, addSlower, jump, read } = followSource();
  addSlower(20);
  expect(read()).toBeUndefined();
  add(20, isTenthMissing);
  expect(read()).toEqual({ count: 100, ratio: 0.1 });
  // It is part of the second that has just begun.
  addSlower(0.5);
  expect(read()).toEqual({ count: 100, ratio: 0.1 });
  // The last of it came more than a minute ago.
  add(70, isTenthMissing);
  expect(read()).toEqual({ count: 300, ratio: 0.1 });
  addSlower(20);
  jump(100_000);
  add(20.02, isTenthMissing);
  expect(read()).toEqual({ count: 100, ratio: 0.1 });
});

test('a source that is slower now and then has lost nothing then, but what it loses in the same second counts', () => {
  const lossesAfter = (lossy: (frame: number) => boolean) => {
    const { add, addSlower, read } = followSource();
    for (let times = 0; times < 3; times += 1) {
      add(10);
      addSlower(1.5);
      add(0.5, lossy);
    }
    add(10);
    return read();
  };
  expect(lossesAfter(() => true)).toEqual({ count: 0, ratio: 0 });
  expect(lossesAfter((frame) => frame % 5 !== 2)).toEqual({ count: 15, ratio: 15 / 2_075, isRepeated: true });
});
