import { expect, test } from 'vitest';
import { pictureBytes } from './feed-format.ts';
import { FramePool, lastingFrame } from './frame-pool.ts';
import { LivePicture } from './live-picture.ts';

const size = { width: 2, height: 2 };

/** A feed's pictures of a device that offers this many frames before each of the feed's; the frames are numbered from 1. */
function show(offers: readonly number[]): (number | undefined)[] {
  const pool = new FramePool(pictureBytes(size));
  const picture = new LivePicture(size, async () => {});
  let offered = 0;
  return offers.map((count) => {
    for (let index = 0; index < count; index += 1) {
      const frame = pool.take();
      offered += 1;
      frame.bytes[0] = offered;
      picture.offer(frame, size);
      frame.release();
    }
    const shown = picture.take();
    const number = shown?.bytes[0];
    shown?.release();
    return number;
  });
}

test('a device whose frames come in pairs has each of them shown once', () => {
  const offers = Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? 2 : 0));
  expect(show(offers)).toEqual(offers.map((_, index) => index + 1));
});

test('a picture that a burst has made late is on time again within 60 frames', () => {
  const shown = show([3, ...Array.from({ length: 99 }, () => 1)]);
  // Two are kept, and the oldest is left out; frame n of the feed has the device's newest, which is n + 2.
  const lateness = shown.map((number, index) => index + 3 - (number ?? 0));
  expect(lateness).toEqual([...Array.from({ length: 60 }, () => 1), ...Array.from({ length: 40 }, () => 0)]);
});

test('the last picture stays while the device gives none', () => {
  expect(show([1, 0, 0, 1])).toEqual([1, 1, 1, 2]);
});

test('a picture of another shape keeps its shape, with bars', () => {
  const wide = { width: 8, height: 4 };
  const picture = new LivePicture({ width: 4, height: 8 }, async () => {});
  const grey = Buffer.concat([Buffer.alloc(32, 200), Buffer.alloc(16, 90)]);
  const shown = () => {
    picture.offer(lastingFrame(grey), wide);
    const taken = picture.take();
    const bytes = [...(taken?.bytes ?? [])];
    taken?.release();
    return bytes;
  };
  const row = (value: number, width: number) => Array<number>(width).fill(value);
  const luma = [16, 16, 200, 200, 16, 16, 16, 16];
  const colour = [128, 90, 128, 128];
  // Black again in memory that was used before.
  for (let time = 0; time < 3; time += 1) {
    expect(shown()).toEqual([
      ...luma.flatMap((value) => row(value, 4)),
      ...[...colour, ...colour].flatMap((value) => row(value, 2)),
    ]);
  }
});
