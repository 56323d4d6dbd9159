/** Unwraps the unsigned 32-bit millisecond timestamps of RTMP and FLV, which begin at 0 again after 49.7 days. */
export class TimestampUnwrapper {
  #latestMs: number | undefined;

  /** The newest time; undefined before the first. */
  get latestMs(): number | undefined {
    return this.#latestMs;
  }

  /** The time nearest to the one before that has these low 32 bits; negative for what belongs before a wrap that came first. */
  unwrap(timestampMs: number): number {
    const latestMs = this.#latestMs;
    // `| 0` keeps the difference, as a signed number.
    const timeMs = latestMs === undefined ? timestampMs : latestMs + ((timestampMs - (latestMs % 2 ** 32)) | 0);
    if (timeMs >= 0) this.#latestMs = timeMs;
    return timeMs;
  }
}
