import { outputUrl } from '../media-tools/ffmpeg-process.ts';

/** Which of ffmpeg's outputs the marks come on: the media is on the first. */
const marksUrl = outputUrl(1);
const metadataKey = 'tallylight.captured';

/**
 * The first filters of the picture's chain: a line goes out for each picture as it enters, unbuffered, before any other work
 * is done on it. The moment it comes is the moment of capture, as near as it can be told from outside of ffmpeg.
 */
export const captureMarkFilters: readonly string[] = [
  `metadata=mode=add:key=${metadataKey}:value=1`,
  // Within a filter graph a colon is syntax, on two levels.
  `metadata=mode=print:key=${metadataKey}:file=${marksUrl.replace(':', String.raw`\\:`)}:direct=1`,
];

/**
 * What ffmpeg adds to each timestamp of an output so that none is negative, in seconds: the priming of its AAC encoder is. It
 * would else move all of them by an amount that is not told, and pictures would not have the times of their marks.
 */
export const timestampOriginSeconds = 1;

/** Reads what {@link captureMarkFilters} write: `frame:29   pts:29      pts_time:0.966667` and the metadata, line by line. */
export class CaptureMarkReader {
  #rest = '';

  /** The timestamps of the pictures that were marked, in milliseconds from the start of this ffmpeg's input. */
  push(bytes: Buffer): number[] {
    const lines = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => {
      const seconds = Number(/\bpts_time:(\S+)/.exec(line)?.[1] ?? Number.NaN);
      return Number.isFinite(seconds) ? [seconds * 1000] : [];
    });
  }
}
