/** More bytes for a second of media are too many: 268 Mbit/s. */
export const maxSecondBytes = 32 * 1024 * 1024;

/**
 * Whether one track of a publisher has more bytes than a second of it may have. What is kept of a stream is bounded in media time, which
 * doesn't help if its timestamps nearly stand still. Times in milliseconds of the timeline.
 */
export class MediaRate {
  #timeline: number | undefined;
  #sinceMs = 0;
  #bytes = 0;

  /** Notes a unit. */
  add({ timeline, timeMs, sizeBytes }: { timeline: number; timeMs: number; sizeBytes: number }): void {
    if (timeline !== this.#timeline || timeMs - this.#sinceMs >= 1_000) {
      this.#timeline = timeline;
      this.#sinceMs = timeMs;
      this.#bytes = 0;
    }
    this.#bytes += sizeBytes;
  }

  get isTooHigh(): boolean {
    return this.#bytes > maxSecondBytes;
  }
}
