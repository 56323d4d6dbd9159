/** Stamped pictures, mostly keyframes, that encode and upload are averaged over. */
const stampedPictures = 3;
/** Milliseconds of parts that packaging is averaged over. */
const windowMs = 1_000;

/**
 * Measures where the time goes between capture and playlist, for one publisher. It reads no clock; times are epoch milliseconds,
 * and averages whole milliseconds. What has not been measured is undefined.
 */
export class LatencyMeter {
  #pictures: { encodeMs: number; uploadMs: number }[] = [];
  #parts: { waitMs: number; atMs: number }[] = [];

  /** A picture came that says when it was captured and encoded. */
  addPicture({ capturedAtMs, encodedAtMs }: { capturedAtMs: number; encodedAtMs: number }, arrivedAtMs: number): void {
    // Clocks of two computers differ: no upload takes less than no time.
    const uploadMs = Math.max(arrivedAtMs - encodedAtMs, 0);
    this.#pictures = [...this.#pictures, { encodeMs: encodedAtMs - capturedAtMs, uploadMs }].slice(-stampedPictures);
  }

  /** A part can be played, the first picture of which came at `arrivedAtMs`. */
  addPart(arrivedAtMs: number, atMs: number): void {
    this.#parts = [...this.#parts.filter((part) => atMs - part.atMs < windowMs), { waitMs: atMs - arrivedAtMs, atMs }];
  }

  /** From capture until a picture left its encoder. */
  get encodeMs(): number | undefined {
    return average(this.#pictures.map(({ encodeMs }) => encodeMs));
  }

  /** From there until it came here. */
  get uploadMs(): number | undefined {
    return average(this.#pictures.map(({ uploadMs }) => uploadMs));
  }

  /** From a part's first picture until the part can be played. */
  get packagingMs(): number | undefined {
    return average(this.#parts.map(({ waitMs }) => waitMs));
  }
}

function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
