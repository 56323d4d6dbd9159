/** The clock in the picture: 32 bits of wall clock and 8 that check them, each a square, black or white, along the upper edge. */
export const clockBits = 40;
/** The height of the row of squares, as a part of the picture's: 32 of 720 lines. */
export const clockHeightShare = 32 / 720;

/** Draws the time, in ms since 1970 modulo 2^32, into the luma plane of a picture of `width` pixels: 32 × 32 for each bit at 1280. */
export function drawClock(luma: Buffer, width: number, timeMs: number): void {
  const time = timeMs % 2 ** 32;
  const check = [24, 16, 8, 0].reduce((sum, shift) => sum ^ ((time >>> shift) & 0xff), 0x5a);
  const square = width / clockBits;
  for (let bit = 0; bit < clockBits; bit += 1) {
    const isWhite = bit < 32 ? (time >>> (31 - bit)) & 1 : (check >>> (39 - bit)) & 1;
    for (let line = 0; line < square; line += 1) {
      luma.fill(isWhite ? 235 : 16, line * width + bit * square, line * width + (bit + 1) * square);
    }
  }
}
