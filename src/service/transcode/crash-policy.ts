import type { EncoderName } from '../../shared/model/encoder.ts';
import type { LadderBounds } from './ladder-bounds.ts';

/** Decides what becomes of a ladder whose ffmpeg crashed. Holds no clock: it is fed times. */
export class CrashPolicy {
  readonly #bounds: Pick<LadderBounds, 'maxCrashes' | 'crashWindowMs'>;
  #crashes: number[] = [];

  constructor(bounds: Pick<LadderBounds, 'maxCrashes' | 'crashWindowMs'>) {
    this.#bounds = bounds;
  }

  /** The encoder to go on with after one more crash; undefined where there were too many. `gaveMedia`: it worked until then. */
  next(now: number, encoder: EncoderName, gaveMedia: boolean): EncoderName | undefined {
    const { maxCrashes, crashWindowMs } = this.#bounds;
    this.#crashes = [...this.#crashes.filter((at) => now - at < crashWindowMs), now];
    if (this.#crashes.length >= maxCrashes) return undefined;
    // Hardware may refuse one encoder more, or fail: the processor does neither.
    return !gaveMedia || this.#crashes.length > 1 ? 'libx264' : encoder;
  }
}
