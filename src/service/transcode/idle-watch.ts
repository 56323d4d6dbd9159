import type { Processors } from './processors.ts';

/** The sums of all cores at one moment. */
interface Sample {
  atMs: number;
  cores: number;
  busyMs: number;
  idleMs: number;
}

/** How much of the computer nobody has used lately. Holds no clock: it is fed times. */
export class IdleWatch {
  readonly #processors: Pick<Processors, 'readCores'>;
  readonly #windowMs: number;
  #samples: Sample[] = [];

  constructor(processors: Pick<Processors, 'readCores'>, windowMs: number) {
    this.#processors = processors;
    this.#windowMs = windowMs;
  }

  /**
   * Measures, and says how many cores' worth of time was idle in the last `windowMs`: 0 until it has been measured that long,
   * undefined where the computer does not tell.
   */
  measure(atMs: number): number | undefined {
    const cores = this.#processors.readCores();
    if (cores.length === 0) return undefined;
    const busyMs = cores.reduce((sum, core) => sum + core.busyMs, 0);
    const idleMs = cores.reduce((sum, core) => sum + core.idleMs, 0);
    const newest: Sample = { atMs, cores: cores.length, busyMs, idleMs };
    this.#samples.push(newest);
    // The newest of those that are old enough is what to compare with.
    while (this.#samples[1] !== undefined && atMs - this.#samples[1].atMs >= this.#windowMs) this.#samples.shift();
    const [oldest = newest] = this.#samples;
    const idle = idleMs - oldest.idleMs;
    const all = idle + busyMs - oldest.busyMs;
    return atMs - oldest.atMs < this.#windowMs || all <= 0 ? 0 : (idle / all) * cores.length;
  }

  /** Nobody asks for a while: what was measured says nothing of later. */
  forget(): void {
    this.#samples = [];
  }
}
