import { expect, test } from 'vitest';
import { fitPicture } from './picture-fit.ts';

const hd = { width: 1280, height: 720 };

test.each([
  ['the same size fills it', { width: 1280, height: 720 }, { width: 1280, height: 720, left: 0, top: 0 }],
  ['a smaller one of the same shape fills it', { width: 640, height: 360 }, { width: 1280, height: 720, left: 0, top: 0 }],
  ['a 4:3 camera has black at both sides', { width: 640, height: 480 }, { width: 960, height: 720, left: 160, top: 0 }],
  ['a wide screen has black above and below', { width: 2560, height: 1080 }, { width: 1280, height: 540, left: 0, top: 90 }],
  ['a shape off by a pixel fills it', { width: 1366, height: 768 }, { width: 1280, height: 720, left: 0, top: 0 }],
  ['a portrait window is narrow', { width: 401, height: 903 }, { width: 318, height: 720, left: 480, top: 0 }],
  ['a line keeps two pixels', { width: 1, height: 5000 }, { width: 2, height: 720, left: 638, top: 0 }],
])('%s', (_what, captured, area) => {
  expect(fitPicture(captured, hd)).toEqual(area);
});
