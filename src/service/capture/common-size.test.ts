import { expect, test } from 'vitest';
import { fitPicture, type Size } from '../../shared/picture-fit.ts';
import { findCommonSize } from './common-size.ts';

const hd = { width: 1280, height: 720 };
const fullHd = { width: 1920, height: 1080 };
const upright = { width: 1080, height: 1920 };

test.each<[what: string, one: Size, other: Size, common: Size]>([
  ['the larger of one shape', hd, fullHd, fullHd],
  ['the wider one', hd, upright, hd],
  ['the wider one, as large as the other needs it', { width: 640, height: 360 }, upright, { width: 1080, height: 608 }],
  ['an even one', { width: 854, height: 480 }, { width: 1000, height: 1001 }, { width: 1000, height: 562 }],
])('the common size is %s, in either order', (_what, one, other, common) => {
  expect([findCommonSize(one, other), findCommonSize(other, one)]).toEqual([common, common]);
});

test.each([fullHd, { width: 1440, height: 1080 }])(
  'a camera of $width × $height is as large in each as if it were alone',
  (camera) => {
    const common = findCommonSize(hd, upright);
    for (const size of [hd, upright]) {
      const alone = fitPicture(camera, size);
      const [inCommon, shared] = [fitPicture(camera, common), fitPicture(common, size)];
      const width = (inCommon.width * shared.width) / common.width;
      // What is narrower than the wider size is smaller in the narrower one.
      expect(width / alone.width).toBeGreaterThan(size === hd || camera === fullHd ? 0.99 : 0.7);
    }
  },
);
