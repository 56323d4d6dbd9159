import { expect, test } from 'vitest';
import { blackPicture, type I420Picture, i420Layout, placeNv12, placeRgba } from './i420.ts';

/** The planes as rows of text, for reading. */
function rowsOf({ width, height, bytes }: I420Picture) {
  const take = (from: number, columns: number, rows: number) =>
    Array.from({ length: rows }, (_, row) => bytes.subarray(from + row * columns, from + (row + 1) * columns).join(' '));
  return {
    y: take(0, width, height),
    u: take(width * height, width / 2, height / 2),
    v: take((width * height * 5) / 4, width / 2, height / 2),
  };
}

test('a black picture has the lowest luma and no colour', () => {
  expect(rowsOf(blackPicture({ width: 4, height: 2 }))).toEqual({
    y: ['16 16 16 16', '16 16 16 16'],
    u: ['128 128'],
    v: ['128 128'],
  });
});

test('the planes of a smaller picture begin inside those of the larger, with its rows', () => {
  expect(i420Layout({ width: 8, height: 6 }, { left: 2, top: 2 })).toEqual([
    { offset: 18, stride: 8 },
    { offset: 48 + 5, stride: 4 },
    { offset: 60 + 5, stride: 4 },
  ]);
});

test('NV12 is placed with its colours in planes of their own', () => {
  const picture = blackPicture({ width: 6, height: 4 });
  placeNv12(picture, Uint8Array.of(1, 2, 3, 4, 50, 60), { left: 2, top: 0, width: 2, height: 2 });
  expect(rowsOf(picture)).toEqual({
    y: ['16 16 1 2 16 16', '16 16 3 4 16 16', '16 16 16 16 16 16', '16 16 16 16 16 16'],
    u: ['128 50 128', '128 128 128'],
    v: ['128 60 128', '128 128 128'],
  });
});

test('NV12 of several rows keeps each colour beside its four pixels', () => {
  const picture = blackPicture({ width: 6, height: 6 });
  const luma = Array.from({ length: 16 }, (_, index) => index + 1);
  placeNv12(picture, Uint8Array.of(...luma, 50, 60, 51, 61, 52, 62, 53, 63), { left: 2, top: 2, width: 4, height: 4 });
  const black = '16 16 16 16 16 16';
  expect(rowsOf(picture)).toEqual({
    y: [black, black, '16 16 1 2 3 4', '16 16 5 6 7 8', '16 16 9 10 11 12', '16 16 13 14 15 16'],
    u: ['128 128 128', '128 50 51', '128 52 53'],
    v: ['128 128 128', '128 60 61', '128 62 63'],
  });
});

/** Colour bars at 100 % in BT.709, limited range. */
const bars = {
  white: { rgb: [255, 255, 255], yuv: [235, 128, 128] },
  black: { rgb: [0, 0, 0], yuv: [16, 128, 128] },
  red: { rgb: [255, 0, 0], yuv: [63, 102, 240] },
  green: { rgb: [0, 255, 0], yuv: [173, 42, 26] },
  blue: { rgb: [0, 0, 255], yuv: [32, 240, 118] },
  grey: { rgb: [128, 128, 128], yuv: [126, 128, 128] },
};
const toRgba = (pixels: { rgb: number[] }[]) => Uint8ClampedArray.from(pixels.flatMap(({ rgb }) => [...rgb, 255]));

test.each(Object.entries(bars))('RGB %s has its luma and colour', (_name, bar) => {
  const picture = blackPicture({ width: 2, height: 2 });
  placeRgba(picture, toRgba([bar, bar, bar, bar]), { left: 0, top: 0, width: 2, height: 2 });
  const [y, u, v] = bar.yuv;
  expect([...picture.bytes]).toEqual([y, y, y, y, u, v]);
});

test('RGB of several rows keeps each colour beside its four pixels', () => {
  const picture = blackPicture({ width: 6, height: 6 });
  const { red, green, blue, white } = bars;
  const [above, below] = [
    [red, red, green, green],
    [blue, blue, white, white],
  ];
  placeRgba(picture, toRgba([...above, ...above, ...below, ...below]), { left: 2, top: 2, width: 4, height: 4 });
  const black = '16 16 16 16 16 16';
  expect(rowsOf(picture)).toEqual({
    y: [black, black, '16 16 63 63 173 173', '16 16 63 63 173 173', '16 16 32 32 235 235', '16 16 32 32 235 235'],
    u: ['128 128 128', '128 102 42', '128 240 128'],
    v: ['128 128 128', '128 240 26', '128 118 128'],
  });
});

test('RGB keeps the luma of each pixel at its place, and four share their average colour', () => {
  const picture = blackPicture({ width: 4, height: 4 });
  const { white, red } = bars;
  placeRgba(picture, toRgba([white, red, white, red]), { left: 2, top: 2, width: 2, height: 2 });
  expect(rowsOf(picture)).toEqual({
    y: ['16 16 16 16', '16 16 16 16', '16 16 235 63', '16 16 235 63'],
    u: ['128 128', '128 115'],
    v: ['128 128', '128 184'],
  });
});
