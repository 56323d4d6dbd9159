/** How far back the speed looks: a slowdown in a long show must not vanish in the average. */
const windowMs = 10_000;
/** Over less than this a short wait would look like a slow encoder. */
const leastMs = 5_000;

/** How fast ffmpeg encodes now, from what it has put out lately. It reports only its average since it started. */
export class EncodePace {
  #reports: { atMs: number; outTimeSeconds: number }[] = [];

  /** Another ffmpeg begins. The time without one, and its start, say nothing about its speed. */
  restart(): void {
    this.#reports = [];
  }

  /** Takes the end of the output so far, as reported at `atMs`, monotonic. */
  push(atMs: number, outTimeSeconds: number | undefined): void {
    if (outTimeSeconds === undefined) return;
    this.#reports.push({ atMs, outTimeSeconds });
    while ((this.#reports[1]?.atMs ?? atMs) <= atMs - windowMs) this.#reports.shift();
  }

  /** As a multiple of real time, over the last 10 s; undefined in an ffmpeg's first 5 s. */
  get speed(): number | undefined {
    const [first] = this.#reports;
    const last = this.#reports.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < leastMs) return undefined;
    return ((last.outTimeSeconds - first.outTimeSeconds) * 1000) / (last.atMs - first.atMs);
  }
}
