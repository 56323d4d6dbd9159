import type { EncoderName } from '../../shared/model/encoder.ts';
import { RecentFailures } from '../lib/recent-failures.ts';
import type { LadderBounds } from './ladder-bounds.ts';

/** Decides what becomes of a ladder whose ffmpeg crashed. Holds no clock: it is fed times. */
export class CrashPolicy {
  readonly #maxCrashes: number;
  readonly #crashes: RecentFailures;

  constructor(bounds: Pick<LadderBounds, 'maxCrashes' | 'crashWindowMs'>) {
    this.#maxCrashes = bounds.maxCrashes;
    this.#crashes = new RecentFailures(bounds.crashWindowMs);
  }

  /** The encoder to go on with after one more crash; undefined where there were too many. `gaveMedia`: it worked until then. */
  next(now: number, encoder: EncoderName, gaveMedia: boolean): EncoderName | undefined {
    const crashes = this.#crashes.add(now);
    if (crashes >= this.#maxCrashes) return undefined;
    // Hardware may refuse one encoder more, or fail: the processor does neither.
    return !gaveMedia || crashes > 1 ? 'libx264' : encoder;
  }
}
