import type { Profile } from '../../shared/model/profile.ts';
import { IdleWatch } from './idle-watch.ts';
import type { Processors } from './processors.ts';

/** Cores that must be idle for each that a rendition is expected to take: encoding is not equally hard all the time. */
const margin = 1.25;
/** What a core encodes in a second, about, where what a rendition took cannot be measured. */
const assumedPixelsPerCoreSecond = 50_000_000;
const assumedFps = 60;

/** Judges by measurement whether there is room for a rendition that was shed: as many idle cores as it took. */
export class ReturnJudge {
  readonly #profiles: readonly Profile[];
  readonly #idle: IdleWatch;
  readonly #cores = new Map<number, number>();
  #idleCores: number | undefined;

  constructor(profiles: readonly Profile[], processors: Pick<Processors, 'readCores'>, windowMs: number) {
    this.#profiles = profiles;
    this.#idle = new IdleWatch(processors, windowMs);
  }

  /** A rendition is shed from those that were `made` with so many CPU seconds for each second of media. */
  noteShed(profileIndex: number, made: readonly number[], costOfMade: number | undefined, sourceFps: number | undefined): void {
    const pixels = this.#pixels(profileIndex);
    const allPixels = made.reduce((sum, index) => sum + this.#pixels(index), 0);
    const fps = this.#profiles[profileIndex]?.fps || (sourceFps ?? assumedFps);
    const assumed = (pixels * fps) / assumedPixelsPerCoreSecond;
    this.#cores.set(profileIndex, costOfMade === undefined ? assumed : (costOfMade * pixels) / allPixels);
  }

  /** Measures: to be called once a second while something is shed. */
  measure(now: number): void {
    this.#idleCores = this.#idle.measure(now);
  }

  /** Nothing is shed for now. */
  rest(): void {
    this.#idle.forget();
  }

  /** Whether what is idle suffices for it; where the computer does not tell, it may always be tried. */
  hasRoom(profileIndex: number): boolean {
    return this.#idleCores === undefined || this.#idleCores >= margin * (this.#cores.get(profileIndex) ?? 0);
  }

  #pixels(profileIndex: number): number {
    const { width = 0, height = 0 } = this.#profiles[profileIndex] ?? {};
    return width * height;
  }
}
