/** What ffmpeg reports every half second; `N/A` is undefined. */
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
  #rest = '';
  #block = new Map<string, string>();

  /** Takes more text and returns the blocks it completes, oldest first. */
  push(text: string): FfmpegProgress[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    const blocks: FfmpegProgress[] = [];
    for (const line of lines) {
      const [key = '', value = ''] = line.split('=', 2);
      this.#block.set(key.trim(), value.trim());
      if (key.trim() !== 'progress') continue;
      const outTimeUs = this.#number('out_time_us');
      blocks.push({
        frame: this.#number('frame'),
        outTimeSeconds: outTimeUs === undefined ? undefined : outTimeUs / 1_000_000,
      });
      this.#block.clear();
    }
    return blocks;
  }

  #number(key: string): number | undefined {
    const number = Number.parseFloat(this.#block.get(key) ?? '');
    return Number.isFinite(number) ? number : undefined;
  }
}
