/** The clock in the picture: 32 bits of wall clock and 8 check bits, each a black or white square, along the upper edge. */
export const clockBits = 40;
/** The height of the row of squares, as a fraction of the picture's: 32 of 720 lines. */
export const clockHeightShare = 32 / 720;

/** The squares of a time in ms since 1970, modulo 2^32: true is white. */
export function findClockBits(timeMs: number): boolean[] {
  const time = timeMs % 2 ** 32;
  const check = [24, 16, 8, 0].reduce((sum, shift) => sum ^ ((time >>> shift) & 0xff), 0x5a);
  return Array.from({ length: clockBits }, (_, bit) => ((bit < 32 ? time >>> (31 - bit) : check >>> (39 - bit)) & 1) === 1);
}

/** The time that squares tell, as {@link findClockBits} makes them; undefined where they are not a clock. */
export function readClockBits(bits: readonly boolean[]): number | undefined {
  const readByte = (byte: number) => bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit) => sum * 2 + Number(bit), 0);
  const [a = 0, b = 0, c = 0, d = 0, check] = [0, 1, 2, 3, 4].map(readByte);
  return check === (0x5a ^ a ^ b ^ c ^ d) ? a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d : undefined;
}

/** Draws the time, in ms since 1970 modulo 2^32, into the luma plane of a picture of `width` pixels: 32 × 32 for each bit at 1280. */
export function drawClock(luma: Buffer, width: number, timeMs: number): void {
  const square = width / clockBits;
  for (const [bit, isWhite] of findClockBits(timeMs).entries()) {
    for (let line = 0; line < square; line += 1) {
      luma.fill(isWhite ? 235 : 16, line * width + bit * square, line * width + (bit + 1) * square);
    }
  }
}

/**
 * Reads the clock in a video's current picture, with a canvas of {@link clockBits} × 8 by 8; undefined where it is unreadable.
 * Runs in a page, and uses only its arguments.
 */
function readClock(
  video: HTMLVideoElement,
  canvas: HTMLCanvasElement,
  { bits, heightShare }: { bits: number; heightShare: number },
): number | undefined {
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const { videoWidth, videoHeight } = video;
  context.drawImage(video, 0, 0, videoWidth, videoHeight * heightShare, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, canvas.height / 2, canvas.width, 1);
  let time = 0;
  let check = 0x5a;
  for (let byte = 0; byte < bits / 8; byte += 1) {
    let value = 0;
    for (let bit = 0; bit < 8; bit += 1) value = value * 2 + ((data[((byte * 8 + bit) * 8 + 4) * 4] ?? 0) > 127 ? 1 : 0);
    if (byte < 4) time = time * 256 + value;
    check ^= value;
  }
  return check === 0 ? time : undefined;
}

/** A script that defines {@link readClock} in a page. */
export const readClockScript = `window.readClock = (video, canvas) => (${readClock})(video, canvas, { bits: ${clockBits}, heightShare: ${clockHeightShare} })`;

/** A page in which {@link readClockScript} has run. */
export interface ClockReadingWindow {
  readClock: (video: HTMLVideoElement, canvas: HTMLCanvasElement) => number | undefined;
}
