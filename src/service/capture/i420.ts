import type { Inset } from '../../shared/model/source.ts';
import { fitPicture, type PictureArea } from '../../shared/picture-fit.ts';
import { fillBlack, type PictureSize, pictureBytes } from './feed-format.ts';

/** For each of a picture's three planes: the offset and size of an area in it, and the length of the plane's rows. */
function planes({ width, height }: PictureSize, area: PictureArea = { left: 0, top: 0, width, height }) {
  const pixels = width * height;
  return [
    { start: 0, scale: 1 },
    { start: pixels, scale: 2 },
    { start: pixels + pixels / 4, scale: 2 },
  ].map(({ start, scale }) => ({
    at: start + (area.top / scale) * (width / scale) + area.left / scale,
    width: area.width / scale,
    height: area.height / scale,
    stride: width / scale,
  }));
}

/**
 * Scales an I420 picture to another size, taking the nearest pixels: for previews, insets, and broadcasts of another size that share a
 * capture. The picture keeps its aspect ratio, with bars if the other size has a different one.
 */
export function scalePicture(from: Buffer, fromSize: PictureSize, to: Buffer, toSize: PictureSize): void {
  const area = fitPicture(fromSize, toSize);
  if (area.width < toSize.width || area.height < toSize.height) fillBlack(to, toSize);
  const targets = planes(toSize, area);
  for (const [index, plane] of planes(fromSize).entries()) {
    const target = targets[index];
    if (target === undefined) continue;
    const columns = Uint32Array.from({ length: target.width }, (_, x) => Math.floor(((x + 0.5) * plane.width) / target.width));
    for (let y = 0; y < target.height; y += 1) {
      const row = plane.at + Math.floor(((y + 0.5) * plane.height) / target.height) * plane.width;
      const targetRow = target.at + y * target.stride;
      for (let x = 0; x < target.width; x += 1) to[targetRow + x] = from[row + (columns[x] ?? 0)] ?? 0;
    }
  }
}

const even = (pixels: number) => Math.round(pixels / 2) * 2;

/** The area of an inset in a picture: as wide as its share, with the picture's aspect ratio, a fortieth of the width from the edges. */
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
  const targets = planes(size, { left: x, top: y, ...insetSize });
  for (const [index, plane] of planes(insetSize).entries()) {
    const target = targets[index];
    if (target === undefined) continue;
    for (let row = 0; row < plane.height; row += 1) {
      const start = plane.at + row * plane.width;
      inset.copy(picture, target.at + row * target.stride, start, start + plane.width);
    }
  }
}
