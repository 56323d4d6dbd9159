import { expect, test } from 'vitest';
import type { Size } from '../../shared/picture-fit.ts';
import { findCommonSize } from './common-size.ts';

const hd = { width: 1280, height: 720 };
const fullHd = { width: 1920, height: 1080 };
const upright = { width: 1080, height: 1920 };

test.each<[what: string, one: Size, other: Size, captured: Size | undefined, common: Size]>([
  ['the larger of one shape', hd, fullHd, undefined, fullHd],
  ['for a camera, the wider one', hd, upright, undefined, hd],
  [
    'for a camera, the wider one, as large as the other needs it',
    { width: 640, height: 360 },
    upright,
    undefined,
    { width: 1080, height: 608 },
  ],
  ['for an upright window, the upright one', hd, upright, { width: 400, height: 800 }, upright],
  ['even', { width: 854, height: 480 }, { width: 1000, height: 1001 }, fullHd, { width: 1000, height: 562 }],
])('the size that two share is %s, in either order', (_what, one, other, captured, common) => {
  expect([findCommonSize(one, other, captured), findCommonSize(other, one, captured)]).toEqual([common, common]);
});
