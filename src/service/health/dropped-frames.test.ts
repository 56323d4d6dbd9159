import { expect, test } from 'vitest';
import { DroppedFrames } from './dropped-frames.ts';

function count(seconds: number, fps: number, isSent: (frame: number) => boolean = () => true): DroppedFrames {
  const dropped = new DroppedFrames();
  for (let frame = 0; frame <= seconds * fps; frame += 1) if (isSent(frame)) dropped.add(Math.round((frame * 1000) / fps));
  return dropped;
}

test('unknown for the first ten seconds, or without a frame rate', () => {
  expect([count(9, 30).read(30), count(20, 30).read(undefined)]).toEqual([undefined, undefined]);
});

test.each([24, 25, 29.97, 30, 50, 60])('a steady encoder at %s fps drops none', (fps) => {
  expect(count(90, fps).read(fps)).toEqual({ count: 0, ratio: 0 });
});

test('gaps in timestamps count as dropped frames, over the last minute', () => {
  const tenth = count(20, 30, (frame) => frame % 10 !== 5).read(30);
  expect(tenth?.count).toBe(60);
  expect(tenth?.ratio).toBeCloseTo(0.1, 3);
  expect(count(120, 30, (frame) => frame > 900 || frame % 10 !== 5).read(30)).toEqual({ count: 0, ratio: 0 });
});

test('jumping timestamps do not count as dropped frames', () => {
  const dropped = count(20, 30);
  dropped.add(500_000);
  expect(dropped.read(30)).toBeUndefined();
});

test('an encoder that goes on at another frame rate has dropped none of the frames that it did not make before', () => {
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
