import type { Processors } from './processors.ts';

/** The totals of all cores at one moment. */
interface Sample {
  atMs: number;
  busyMs: number;
  idleMs: number;
}

/** Measures how much of the computer has been idle lately. Holds no clock: it is fed times. */
export class IdleWatch {
  readonly #processors: Pick<Processors, 'readCores'>;
  readonly #windowMs: number;
  #samples: Sample[] = [];

  constructor(processors: Pick<Processors, 'readCores'>, windowMs: number) {
    this.#processors = processors;
    this.#windowMs = windowMs;
  }

  /**
   * Measures, and returns how many cores were idle over the last `windowMs`, as a fraction. 0 until it has measured for that long
   * without a pause longer than that; undefined if the system doesn't report it.
   */
  measure(atMs: number): number | undefined {
    const cores = this.#processors.readCores();
    if (cores.length === 0) return undefined;
    const busyMs = cores.reduce((sum, core) => sum + core.busyMs, 0);
    const idleMs = cores.reduce((sum, core) => sum + core.idleMs, 0);
    const newest: Sample = { atMs, busyMs, idleMs };
    if (atMs - (this.#samples.at(-1) ?? newest).atMs > this.#windowMs) this.#samples = [];
    this.#samples.push(newest);
    // Compared with the newest sample that is old enough.
    while (this.#samples[1] !== undefined && atMs - this.#samples[1].atMs >= this.#windowMs) this.#samples.shift();
    const [oldest = newest] = this.#samples;
    const idle = idleMs - oldest.idleMs;
    const all = idle + busyMs - oldest.busyMs;
    return atMs - oldest.atMs < this.#windowMs || all <= 0 ? 0 : (idle / all) * cores.length;
  }
}
