import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import { makeSource } from './synthetic-source.ts';

/** Length of {@link makeClockSource}: each second has its own brightness, within the limited range of 8 bits. */
export const clockSeconds = 30;

/** The corner's brightness in the first second, and the increase per second after it. */
const first = 20;
const step = 7;

/**
 * A moving picture of 320 × 180 with a keyframe each second and B-frames, a tone, and an upper left corner whose brightness encodes
 * the second.
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
 * Maps each picture of a broadcast, which loops {@link makeClockSource}, to its second.
 *
 * @param brightnesses of the pictures' corners, 0 to 255, in display order
 * @param lastSecond the second of the last picture, or one that looks like it
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
