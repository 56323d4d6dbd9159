import { expect, test } from 'vitest';
import { makeBlack, pictureBytes } from './feed-format.ts';
import { drawInset, placeInset, scalePicture } from './i420.ts';

/** A picture of one colour. */
function plain(width: number, height: number, [y, u, v]: readonly [number, number, number]): Buffer {
  const pixels = width * height;
  return Buffer.concat([Buffer.alloc(pixels, y), Buffer.alloc(pixels / 4, u), Buffer.alloc(pixels / 4, v)]);
}

test('black is black, also in its colours', () => {
  expect(makeBlack({ width: 4, height: 2 })).toEqual(plain(4, 2, [16, 128, 128]));
});

test('a scaled picture keeps its colours where they were', () => {
  const size = { width: 8, height: 4 };
  const picture = plain(8, 4, [50, 60, 70]);
  // The right half is brighter.
  for (let row = 0; row < 4; row += 1) picture.fill(200, row * 8 + 4, row * 8 + 8);
  const small = Buffer.alloc(pictureBytes({ width: 4, height: 2 }));
  scalePicture(picture, size, small, { width: 4, height: 2 });
  expect([...small]).toEqual([50, 50, 200, 200, 50, 50, 200, 200, 60, 60, 70, 70]);
});

test.each([
  ['top-left', 0, 0],
  ['top-right', 1, 0],
  ['bottom-left', 0, 1],
  ['bottom-right', 1, 1],
] as const)('an inset in the %s corner covers that corner alone', (corner, right, bottom) => {
  const size = { width: 80, height: 40 };
  const area = placeInset({ corner, share: 0.25 }, size);
  expect(area).toEqual({ width: 20, height: 10, x: right ? 58 : 2, y: bottom ? 28 : 2 });
  const picture = plain(80, 40, [10, 20, 30]);
  drawInset(plain(20, 10, [200, 210, 220]), area, picture, size);
  const isInset = (x: number, y: number) => x >= area.x && x < area.x + 20 && y >= area.y && y < area.y + 10;
  const expected = Array.from({ length: 80 * 40 }, (_, at) => (isInset(at % 80, Math.floor(at / 80)) ? 200 : 10));
  expect([...picture.subarray(0, 3_200)]).toEqual(expected);
  const colours = [...picture.subarray(3_200)];
  expect(colours.filter((value) => value === 210)).toHaveLength(50);
  expect(colours.filter((value) => value === 220)).toHaveLength(50);
});
