import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { makeSource } from './synthetic-source.ts';

/** How long {@link makeClockSource} is: each of its seconds is of another brightness, within the limited range of 8 bits. */
export const clockSeconds = 30;

/** The brightness of the corner in the first second, and how much more of it each second that follows has. */
const first = 20;
const step = 7;

/**
 * A moving picture of 320 × 180 with a keyframe at each second and B-frames between, whose upper left corner is as bright as its
 * second says, and a tone.
 */
export function makeClockSource(): Promise<FlvTag[]> {
  const corner = `color=s=80x60:r=30,format=yuv420p,geq=lum='${first}+${step}*floor(N/30)':cb=128:cr=128`;
  return makeSource({
    seconds: clockSeconds,
    rate: '30',
    gopFrames: 30,
    x264: ['-bf', '2'],
    filter: `${corner}[corner];[in][corner]overlay`,
  });
}

const readClock = (brightness: number) => Math.round(((brightness * 219) / 255 + 16 - first) / step);

/**
 * Which second of a broadcast, which repeats {@link makeClockSource}, each of these pictures is of.
 *
 * @param brightnesses of the corners of the pictures, 0 to 255, in the order they were shown
 * @param lastSecond the second that the last picture is of, or one that looks like it
 */
export function readSeconds(brightnesses: readonly number[], lastSecond: number): number[] {
  const seconds: number[] = [];
  let second = lastSecond;
  for (const face of brightnesses.map(readClock).toReversed()) {
    const back = (((second - face) % clockSeconds) + clockSeconds) % clockSeconds;
    second -= back > clockSeconds / 2 ? back - clockSeconds : back;
    seconds.unshift(second);
  }
  return seconds;
}
