/** Unwraps the unsigned 32-bit millisecond timestamps of RTMP and FLV, which restart at 0 after 49.7 days. */
export class TimestampUnwrapper {
  #latestMs: number | undefined;

  /** The newest time; undefined before the first one. */
  get latestMs(): number | undefined {
    return this.#latestMs;
  }

  /** The time with these low 32 bits that is nearest to the previous one; negative if it lies before a wrap that came first. */
  unwrap(timestampMs: number): number {
    const latestMs = this.#latestMs;
    // `| 0` makes the difference a signed 32-bit number.
    const timeMs = latestMs === undefined ? timestampMs : latestMs + ((timestampMs - (latestMs % 2 ** 32)) | 0);
    if (timeMs >= 0) this.#latestMs = timeMs;
    return timeMs;
  }
}
