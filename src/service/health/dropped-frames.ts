/** Milliseconds of media that frames are counted over, and the least that says something. */
const windowMs = 60_000;
const minWindowMs = 10_000;
const bucketMs = 1_000;
/** Timestamps that go further than this begin another timeline. */
const maxGapMs = 10_000;
/** A rate is rounded, and so are timestamps: less than this part is not missing. */
const roundingShare = 0.003;

/**
 * Counts the frames that an encoder left out, by the holes in its timestamps: of the last minute of media, those that the frame
 * rate promises and that did not come. What comes late, or in a burst, is not left out. Decode times in milliseconds.
 */
export class DroppedFrames {
  readonly #buckets: { firstMs: number; frames: number }[] = [];
  /** Of all buckets. */
  #frames = 0;
  #lastMs: number | undefined;

  add(timestampMs: number): void {
    if (this.#lastMs !== undefined && (timestampMs < this.#lastMs || timestampMs - this.#lastMs > maxGapMs)) this.#restart();
    this.#lastMs = timestampMs;
    this.#frames += 1;
    const last = this.#buckets.at(-1);
    if (last && timestampMs - last.firstMs < bucketMs) {
      last.frames += 1;
      return;
    }
    this.#buckets.push({ firstMs: timestampMs, frames: 1 });
    while (timestampMs - (this.#buckets[0]?.firstMs ?? timestampMs) > windowMs)
      this.#frames -= this.#buckets.shift()?.frames ?? 0;
  }

  /** What is missing at this frame rate, with its part of what should have come (0 to 1); undefined before ten seconds have been counted. */
  read(fps: number | undefined): { count: number; ratio: number } | undefined {
    const [first, last] = [this.#buckets[0], this.#buckets.at(-1)];
    if (fps === undefined || first === undefined || last === undefined) return undefined;
    const spanMs = last.firstMs - first.firstMs;
    if (spanMs < minWindowMs) return undefined;
    const expected = (spanMs * fps) / 1000;
    const missing = expected - (this.#frames - last.frames);
    const count = missing <= expected * roundingShare ? 0 : Math.round(missing);
    return { count, ratio: count / expected };
  }

  #restart(): void {
    this.#buckets.length = 0;
    this.#frames = 0;
  }
}
