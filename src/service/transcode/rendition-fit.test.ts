import { expect, test } from 'vitest';
import { fitRendition } from './rendition-fit.ts';

const square = { horizontal: 1, vertical: 1 };
const wide = { width: 1920, height: 1080, sampleAspect: square };

test('a picture of the same aspect ratio fills the profile, and a tiny difference adds no bars', () => {
  expect(fitRendition(wide, { width: 1280, height: 720 })).toEqual({
    scaled: { width: 1280, height: 720 },
    padded: { width: 1280, height: 720 },
  });
  expect(fitRendition(wide, { width: 854, height: 480 }).scaled).toEqual({ width: 854, height: 480 });
});

test('a picture of another aspect ratio gets bars at the sides, or above and below', () => {
  expect(fitRendition({ width: 640, height: 480, sampleAspect: square }, { width: 1280, height: 720 })).toEqual({
    scaled: { width: 960, height: 720 },
    padded: { width: 1280, height: 720 },
  });
  expect(fitRendition(wide, { width: 640, height: 480 }).scaled).toEqual({ width: 640, height: 360 });
});

test('non-square samples are scaled to the display aspect ratio', () => {
  const anamorphic = { width: 720, height: 576, sampleAspect: { horizontal: 64, vertical: 45 } };
  expect(fitRendition(anamorphic, { width: 1280, height: 720 }).scaled).toEqual({ width: 1280, height: 720 });
});

test('odd sizes lose a sample, and a very long picture keeps two lines', () => {
  expect(fitRendition(wide, { width: 427, height: 241 })).toEqual({
    scaled: { width: 426, height: 240 },
    padded: { width: 426, height: 240 },
  });
  expect(fitRendition({ width: 8192, height: 16, sampleAspect: square }, { width: 128, height: 128 }).scaled).toEqual({
    width: 128,
    height: 2,
  });
});
