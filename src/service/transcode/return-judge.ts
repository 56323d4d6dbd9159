import { assumeCores } from './encode-cost.ts';
import { highestAssumedFps } from './encoder-args.ts';
import { IdleWatch } from './idle-watch.ts';
import { type LadderRendition, pixelsOf } from './ladder-rendition.ts';
import type { Processors } from './processors.ts';

/** Idle cores required for each core that a rendition is expected to use, since the cost of encoding varies. */
const margin = 1.25;

/** A run's renditions and their cost. */
export interface RunCost {
  renditions: readonly LadderRendition[];
  /** CPU seconds for each second of media; undefined where that is unknown. */
  cpuSeconds: number | undefined;
  /** Of the source; undefined where that is unknown. */
  sourceFps: number | undefined;
}

/** Judges whether there is room for a rendition that was shed: at least as many idle cores as it used, and a margin. */
export class ReturnJudge {
  readonly #idle: IdleWatch;
  /** How many cores each shed rendition used. */
  readonly #cores = new Map<LadderRendition, number>();
  #idleCores: number | undefined;

  constructor(processors: Pick<Processors, 'readCores'>, windowMs: number) {
    this.#idle = new IdleWatch(processors, windowMs);
  }

  /** Notes how many cores a rendition shed from this run used: its share by size, or an estimate by its size and rate. */
  noteShed(rendition: LadderRendition, { renditions, cpuSeconds, sourceFps }: RunCost): void {
    const pixels = pixelsOf(rendition);
    const allPixels = renditions.reduce((sum, one) => sum + pixelsOf(one), 0);
    const fps = rendition.profile.fps || (sourceFps ?? highestAssumedFps);
    this.#cores.set(rendition, cpuSeconds === undefined ? assumeCores(pixels * fps) : (cpuSeconds * pixels) / allPixels);
  }

  /** Measures the idle cores; call it once a second while a rendition is shed. */
  measure(now: number): void {
    this.#idleCores = this.#idle.measure(now);
  }

  /** Whether enough cores are idle for this rendition. Always true if the system doesn't report idle time. */
  hasRoom(rendition: LadderRendition): boolean {
    return this.#idleCores === undefined || this.#idleCores >= margin * (this.#cores.get(rendition) ?? 0);
  }
}
