/**
 * Half of the range of 32 bits. A step by that, give or take {@link wrapToleranceMs}, means that the publisher uses only 31 bits.
 */
const halfRangeMs = 2 ** 31;
const wrapToleranceMs = 60_000;

/**
 * Unwraps the millisecond timestamps of RTMP and FLV, which restart at 0: after 49.7 days with their 32 bits, and after 24.9 with the 31
 * that ffmpeg writes.
 */
export class TimestampUnwrapper {
  readonly #bits: 31 | 32;
  #latestMs: number | undefined;

  constructor(bits: 31 | 32 = 32) {
    this.#bits = bits;
  }

  /** The newest time; undefined before the first one. */
  get latestMs(): number | undefined {
    return this.#latestMs;
  }

  /**
   * The time with these low bits that is nearest to the previous one; negative if it is from before a wrap and the first came
   * after it.
   */
  unwrap(timestampMs: number): number {
    const latestMs = this.#latestMs;
    const unused = 32 - this.#bits;
    // The shifts make the difference a signed number of as many bits.
    const stepMs = latestMs === undefined ? timestampMs : ((timestampMs - latestMs) << unused) >> unused;
    const isHalf = latestMs !== undefined && halfRangeMs - Math.abs(stepMs) < wrapToleranceMs;
    const timeMs = (latestMs ?? 0) + (isHalf ? stepMs - Math.sign(stepMs) * halfRangeMs : stepMs);
    if (timeMs >= 0) this.#latestMs = timeMs;
    return timeMs;
  }
}
