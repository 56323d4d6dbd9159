/**
 * How many pixels of a picture differ much from those above and below, both brighter or both darker: where something moves, the lines of
 * two fields alternate like the teeth of a comb. `brightness` has a byte for each pixel, row by row.
 */
export function countCombs(brightness: Buffer, { width, height }: { width: number; height: number }): number {
  const at = (pixel: number) => brightness[pixel] ?? 0;
  const pixels = Array.from({ length: width * (height - 2) }, (_, index) => index + width);
  return pixels.filter((pixel) => (at(pixel) - at(pixel - width)) * (at(pixel) - at(pixel + width)) > 2_500).length;
}
