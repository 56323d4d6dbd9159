/** Encode and upload times are averages over this many stamped frames, mostly keyframes. */
const stampedFrames = 3;
/** Packaging time is the average over the parts of this many milliseconds. */
const windowMs = 1_000;

/**
 * Measures, for one publisher, where the time between capture and playlist is spent. Reads no clock. Times are Unix milliseconds,
 * averages whole milliseconds; undefined until measured.
 */
export class LatencyMeter {
  #frames: { encodeMs: number; uploadMs: number }[] = [];
  #parts: { waitMs: number; atMs: number }[] = [];

  /** Adds a frame stamped with its capture and encode times. */
  addFrame({ capturedAtMs, encodedAtMs }: { capturedAtMs: number; encodedAtMs: number }, arrivedAtMs: number): void {
    // The clocks of two computers differ, so the result could be negative.
    const uploadMs = Math.max(arrivedAtMs - encodedAtMs, 0);
    this.#frames = [...this.#frames, { encodeMs: encodedAtMs - capturedAtMs, uploadMs }].slice(-stampedFrames);
  }

  /** Adds a part that became playable at `atMs`; its first frame arrived at `arrivedAtMs`. */
  addPart(arrivedAtMs: number, atMs: number): void {
    this.#parts = [...this.#parts.filter((part) => atMs - part.atMs < windowMs), { waitMs: atMs - arrivedAtMs, atMs }];
  }

  /** Time from capture until a frame left its encoder. */
  get encodeMs(): number | undefined {
    return average(this.#frames.map(({ encodeMs }) => encodeMs));
  }

  /** Time from the encoder until a frame arrived here. */
  get uploadMs(): number | undefined {
    return average(this.#frames.map(({ uploadMs }) => uploadMs));
  }

  /** Time from a part's first frame until the part is playable. */
  get packagingMs(): number | undefined {
    return average(this.#parts.map(({ waitMs }) => waitMs));
  }
}

function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
