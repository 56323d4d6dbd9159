import type { PictureArea, Size } from '../../shared/picture-fit.ts';

/** Black in limited range (ITU-R BT.709-6, item 4). */
const blackLuma = 16;
const noColor = 128;

/** An I420 picture in one buffer: the planes Y, U and V without padding. Sides are even. */
export interface I420Picture extends Size {
  bytes: Uint8Array<ArrayBuffer>;
}

/** A black picture. */
export function blackPicture({ width, height }: Size): I420Picture {
  const bytes = new Uint8Array((width * height * 3) / 2).fill(noColor);
  bytes.fill(blackLuma, 0, width * height);
  return { width, height, bytes };
}

/** The offset of an area's pixels in each plane of a picture, and the length of the planes' rows: a `PlaneLayout` for each (WebCodecs). */
export function i420Layout({ width, height }: Size, { left, top }: Pick<PictureArea, 'left' | 'top'>): PlaneLayout[] {
  const half = width / 2;
  const color = (top / 2) * half + left / 2;
  return [
    { offset: top * width + left, stride: width },
    { offset: width * height + color, stride: half },
    { offset: (width * height * 5) / 4 + color, stride: half },
  ];
}

/** Puts an NV12 picture, whose colours take turns in one plane, into an area of its size. */
export function placeNv12(picture: I420Picture, nv12: Uint8Array, area: PictureArea): void {
  const { bytes } = picture;
  const [luma, blue, red] = planeOffsets(picture, area);
  const { width, height } = area;
  for (let row = 0; row < height; row += 1) {
    bytes.set(nv12.subarray(row * width, (row + 1) * width), luma + row * picture.width);
  }
  let from = width * height;
  for (let row = 0; row < height / 2; row += 1) {
    const color = (row * picture.width) / 2;
    for (let column = 0; column < width / 2; column += 1) {
      bytes[blue + color + column] = nv12[from] ?? noColor;
      bytes[red + color + column] = nv12[from + 1] ?? noColor;
      from += 2;
    }
  }
}

/** The pixels that share one colour sample: down and right of the upper left one. */
const quad = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

/**
 * Puts an RGBA picture (8 bits each, full range) into an area of its size, in limited range with BT.709's matrix (ITU-R BT.709-6, items
 * 3.2 and 3.4).
 */
export function placeRgba(picture: I420Picture, rgba: Uint8ClampedArray, area: PictureArea): void {
  const { bytes } = picture;
  const [luma, blue, red] = planeOffsets(picture, area);
  const { width, height } = area;
  const at = (index: number) => rgba[index] ?? 0;
  for (let row = 0; row < height; row += 2) {
    for (let column = 0; column < width; column += 2) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (const [down, right] of quad) {
        const from = ((row + down) * width + column + right) * 4;
        const [pr, pg, pb] = [at(from), at(from + 1), at(from + 2)];
        bytes[luma + (row + down) * picture.width + column + right] = 16.5 + 0.1826 * pr + 0.6142 * pg + 0.062 * pb;
        r += pr / 4;
        g += pg / 4;
        b += pb / 4;
      }
      const color = (row * picture.width) / 4 + column / 2;
      bytes[blue + color] = 128.5 - 0.1006 * r - 0.3386 * g + 0.4392 * b;
      bytes[red + color] = 128.5 + 0.4392 * r - 0.3989 * g - 0.0403 * b;
    }
  }
}

/** The offset of an area's pixels in the planes Y, U and V of a picture. */
export function planeOffsets(picture: Size, area: Pick<PictureArea, 'left' | 'top'>): [number, number, number] {
  const [luma = 0, blue = 0, red = 0] = i420Layout(picture, area).map(({ offset }) => offset);
  return [luma, blue, red];
}
