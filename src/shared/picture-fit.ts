/** A size in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** An area in a picture, in pixels from its top left corner. */
export interface PictureArea extends Size {
  left: number;
  top: number;
}

/**
 * Where a captured picture goes in a broadcast's: as large as fits, undistorted, in the middle; the rest stays black.
 *
 * Every number is even, since I420 has one colour sample for each 2 × 2 pixels. A broadcast's sides must be even.
 */
export function fitPicture(captured: Size, broadcast: Size): PictureArea {
  const scale = Math.min(broadcast.width / captured.width, broadcast.height / captured.height);
  const width = fitSide(captured.width * scale, broadcast.width);
  const height = fitSide(captured.height * scale, broadcast.height);
  return { width, height, left: toEven((broadcast.width - width) / 2), top: toEven((broadcast.height - height) / 2) };
}

/** Whether a side is taken as the whole, off by two pixels at most: nobody sees the distortion, but everybody sees a black line. */
export function isNearlyWhole(side: number, whole: number): boolean {
  return whole - side <= 2;
}

function fitSide(side: number, whole: number): number {
  return isNearlyWhole(side, whole) ? whole : Math.max(2, toEven(side));
}

function toEven(value: number): number {
  return Math.floor(value / 2) * 2;
}
