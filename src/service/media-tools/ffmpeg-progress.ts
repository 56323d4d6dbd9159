import { LineReader } from '../lib/line-reader.ts';

/** ffmpeg's report of every half second; `N/A` is undefined. */
export interface FfmpegProgress {
  frame: number | undefined;
  outTimeSeconds: number | undefined;
}

/**
 * Reads ffmpeg's `-progress` output: `key=value` lines, each block ended by `progress=continue` or `progress=end`.
 *
 * Reads `out_time_us`, since `out_time_ms` is in microseconds despite its name.
 */
export class FfmpegProgressReader {
  readonly #lines = new LineReader();
  #frame: number | undefined;
  #outTimeUs: number | undefined;

  /** Takes more text and returns the blocks it completes, oldest first. */
  push(text: string): FfmpegProgress[] {
    const blocks: FfmpegProgress[] = [];
    for (const line of this.#lines.push(text)) {
      const [key = '', value = ''] = line.split('=', 2);
      if (key === 'frame') this.#frame = parseNumber(value);
      else if (key === 'out_time_us') this.#outTimeUs = parseNumber(value);
      else if (key === 'progress') blocks.push(this.#takeBlock());
    }
    return blocks;
  }

  #takeBlock(): FfmpegProgress {
    const outTimeSeconds = this.#outTimeUs === undefined ? undefined : this.#outTimeUs / 1_000_000;
    const block = { frame: this.#frame, outTimeSeconds };
    this.#frame = undefined;
    this.#outTimeUs = undefined;
    return block;
  }
}

function parseNumber(text: string): number | undefined {
  const number = Number.parseFloat(text);
  return Number.isFinite(number) ? number : undefined;
}
