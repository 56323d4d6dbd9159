import type { EncoderName } from '../../shared/model/encoder.ts';
import { RecentTimes } from '../../shared/recent-times.ts';

/** Which encoder to use, and how often encoding has failed lately. Hardware that fails is replaced by x264 and not tried again. */
export class EncoderFallback {
  readonly #failures: RecentTimes;
  #encoder: EncoderName;

  /** Failures count for `windowMs`. */
  constructor(encoder: EncoderName, windowMs: number) {
    this.#encoder = encoder;
    this.#failures = new RecentTimes(windowMs);
  }

  get encoder(): EncoderName {
    return this.#encoder;
  }

  get isHardware(): boolean {
    return this.#encoder !== 'libx264';
  }

  /** Changes from hardware to x264; false where x264 is in use already. */
  replaceHardware(): boolean {
    if (!this.isHardware) return false;
    this.#encoder = 'libx264';
    return true;
  }

  /** Counts a failure at `now`, by a clock that never goes back, and returns how many there were within the window. */
  countFailure(now: number): number {
    return this.#failures.add(now);
  }
}
