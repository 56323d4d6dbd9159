import type { Inset } from '../../shared/model/source.ts';
import { type PictureSize, pictureBytes } from './feed-format.ts';

/** A picture's three planes: where each begins, and its size. */
function planes({ width, height }: PictureSize) {
  const pixels = width * height;
  const half = { width: width / 2, height: height / 2 };
  return [
    { at: 0, width, height },
    { at: pixels, ...half },
    { at: pixels + pixels / 4, ...half },
  ] as const;
}

/** Scales an I420 picture to another size, taking the nearest pixels: for previews and insets of shared captures. */
export function scalePicture(from: Buffer, fromSize: PictureSize, to: Buffer, toSize: PictureSize): void {
  const targets = planes(toSize);
  for (const [index, plane] of planes(fromSize).entries()) {
    const target = targets[index];
    if (target === undefined) continue;
    const columns = Uint32Array.from({ length: target.width }, (_, x) => Math.floor(((x + 0.5) * plane.width) / target.width));
    for (let y = 0; y < target.height; y += 1) {
      const row = plane.at + Math.floor(((y + 0.5) * plane.height) / target.height) * plane.width;
      const targetRow = target.at + y * target.width;
      for (let x = 0; x < target.width; x += 1) to[targetRow + x] = from[row + (columns[x] ?? 0)] ?? 0;
    }
  }
}

const even = (pixels: number) => Math.round(pixels / 2) * 2;

/** Where an inset goes in a picture: as wide as its share, of the same shape as the picture, a fortieth of the width from the edges. */
export function placeInset({ corner, share }: Pick<Inset, 'corner' | 'share'>, size: PictureSize) {
  const width = even(size.width * share);
  const height = even(size.height * share);
  const margin = even(size.width / 40);
  return {
    width,
    height,
    x: corner.endsWith('left') ? margin : size.width - margin - width,
    y: corner.startsWith('top') ? margin : size.height - margin - height,
  };
}

/** Copies a smaller I420 picture into a larger one. */
export function drawInset(
  inset: Buffer,
  { x, y, ...insetSize }: ReturnType<typeof placeInset>,
  picture: Buffer,
  size: PictureSize,
): void {
  if (inset.length !== pictureBytes(insetSize)) throw new Error('An inset has another size than its place.');
  const targets = planes(size);
  for (const [index, plane] of planes(insetSize).entries()) {
    const target = targets[index];
    if (target === undefined) continue;
    const [left, top] = index === 0 ? [x, y] : [x / 2, y / 2];
    for (let row = 0; row < plane.height; row += 1) {
      const start = plane.at + row * plane.width;
      inset.copy(picture, target.at + (top + row) * target.width + left, start, start + plane.width);
    }
  }
}
