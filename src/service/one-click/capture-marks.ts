import { outputUrl } from '../media-tools/ffmpeg-process.ts';

/** The output of ffmpeg that the marks are on; the media is on the first. */
const marksUrl = outputUrl(1);
const metadataKey = 'tallylight.captured';

/**
 * The first filters of the video chain: they write a line for each frame as it enters, unbuffered, before any other work on it. When
 * the line comes is when the frame was captured, as closely as can be told from outside ffmpeg.
 */
export const captureMarkFilters: readonly string[] = [
  `metadata=mode=add:key=${metadataKey}:value=1`,
  // In a filter graph a colon is syntax, on two levels.
  `metadata=mode=print:key=${metadataKey}:file=${marksUrl.replace(':', String.raw`\\:`)}:direct=1`,
];

/**
 * What ffmpeg adds to each timestamp of an output so that none is negative, in seconds: the AAC encoder's priming would be. Otherwise
 * ffmpeg would shift all of them by an unknown amount, and frames would not have the times of their marks.
 */
export const timestampOriginSeconds = 1;

/** Reads what {@link captureMarkFilters} write: `frame:29   pts:29      pts_time:0.966667` and the metadata, line by line. */
export class CaptureMarkReader {
  #rest = '';

  /** The timestamps of the marked frames, in milliseconds from the start of this ffmpeg's input. */
  push(bytes: Buffer): number[] {
    const lines = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => {
      const seconds = Number(/\bpts_time:(\S+)/.exec(line)?.[1] ?? Number.NaN);
      return Number.isFinite(seconds) ? [seconds * 1000] : [];
    });
  }
}
