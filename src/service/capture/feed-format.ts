/** Samples per second of all sound that is captured: stereo, 16 bits. */
export const sampleRate = 48_000;
/** Bytes of one sample of both channels. */
export const bytesPerSample = 4;

/** Both sides are even: colours have half the resolution. */
export interface PictureSize {
  width: number;
  height: number;
}

/** The format of a feed's output, for as long as it runs. */
export interface FeedFormat extends PictureSize {
  fps: number;
}

/** The size of a picture in I420: brightness, then both colours in half the resolution. */
export function pictureBytes({ width, height }: PictureSize): number {
  return (width * height * 3) / 2;
}

/** Makes an I420 picture black, in the range of television. */
export function fillBlack(picture: Buffer, { width, height }: PictureSize): Buffer {
  return picture.fill(128).fill(16, 0, width * height);
}

/** A black picture. */
export function makeBlack(size: PictureSize): Buffer {
  return fillBlack(Buffer.alloc(pictureBytes(size)), size);
}

/** How many samples of sound come before the frame with this number. */
export function samplesBefore(frame: number, fps: number): number {
  return Math.round((frame * sampleRate) / fps);
}
