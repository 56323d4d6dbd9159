import type { FfmpegProgress } from '../media-tools/ffmpeg-progress.ts';

/** How far back the pace looks: a slowdown in a long show must not vanish in the average. */
const windowMs = 10_000;
/** After a longer gap, the computer has slept, or the process was stopped: an ffmpeg that doesn't report for 5 s is replaced. */
const longestGapMs = 6_000;
/** A computer on which this process pauses again within this time is overloaded. */
const calmMs = 60_000;
/** Over less than this a short wait would look like a slow encoder. */
const leastSpeedMs = 5_000;
/** Over less than this the frame rate would jump with each report. */
const leastFpsMs = 1_000;

interface Report extends Pick<FfmpegProgress, 'frame'> {
  atMs: number;
  outTimeSeconds: number;
}

/** How fast ffmpeg encodes now, from its recent output. ffmpeg itself reports only the average since its start. */
export class EncodePace {
  #reports: Report[] = [];
  #pausedAtMs = Number.NEGATIVE_INFINITY;

  /** Measures from here: another ffmpeg begins, whose start-up and the gap before it don't count, or this process paused. */
  restart(): void {
    this.#reports = [];
  }

  /**
   * This process paused until `atMs`, monotonic: the encoder never got the frames of that time. After a single pause they don't count. A
   * computer that pauses it again and again can't encode in real time.
   */
  notePause(atMs: number): void {
    if (atMs - this.#pausedAtMs > calmMs) this.restart();
    this.#pausedAtMs = atMs;
  }

  /** Takes the output so far, as reported at `atMs`, monotonic. */
  push(atMs: number, { outTimeSeconds, frame }: Pick<FfmpegProgress, 'outTimeSeconds' | 'frame'>): void {
    if (outTimeSeconds === undefined) return;
    if (atMs - (this.#reports.at(-1)?.atMs ?? atMs) > longestGapMs) this.restart();
    this.#reports.push({ atMs, outTimeSeconds, frame });
    while ((this.#reports[1]?.atMs ?? atMs) <= atMs - windowMs) this.#reports.shift();
  }

  /** As a multiple of real time, over the last 10 s; undefined in an ffmpeg's first 5 s, and for as long after a single pause. */
  get speed(): number | undefined {
    return this.#rate(leastSpeedMs, ({ outTimeSeconds }) => outTimeSeconds);
  }

  /** Frames per second, over the last 10 s; undefined in an ffmpeg's first second. */
  get fps(): number | undefined {
    return this.#rate(leastFpsMs, ({ frame }) => frame);
  }

  /** How much a count grows per second. */
  #rate(leastMs: number, count: (report: Report) => number | undefined): number | undefined {
    const [first] = this.#reports;
    const last = this.#reports.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < leastMs) return undefined;
    const [before, after] = [count(first), count(last)];
    if (before === undefined || after === undefined) return undefined;
    return ((after - before) * 1000) / (last.atMs - first.atMs);
  }
}
