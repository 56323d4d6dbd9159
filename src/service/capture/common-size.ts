import type { PictureSize } from './feed-format.ts';

/**
 * The size of a capture that two share, each at its own size. What is captured mostly has the wider of both shapes: bars at the sides of the
 * higher one would only make it smaller in the other. Both sides are even.
 */
export function findCommonSize(one: PictureSize, other: PictureSize): PictureSize {
  const [wide, tall] = one.width * other.height >= other.width * one.height ? [one, other] : [other, one];
  const scale = Math.max(1, Math.min(tall.width / wide.width, tall.height / wide.height));
  return { width: toEven(wide.width * scale), height: toEven(wide.height * scale) };
}

function toEven(side: number): number {
  return Math.round(side / 2) * 2;
}
