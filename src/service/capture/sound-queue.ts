import { bytesPerSample } from './feed-format.ts';

/** Stereo sound that waits to be taken: s16, both channels in turn. Lengths are in samples of both channels. */
export class SoundQueue {
  readonly #chunks: Int16Array[] = [];
  #taken = 0;
  #length = 0;
  /** The first bytes of a sample whose others are still to come. */
  #rest: Buffer = Buffer.alloc(0);

  get length(): number {
    return this.#length;
  }

  push(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const samples = Math.floor(all.length / bytesPerSample);
    this.#rest = Buffer.from(all.subarray(samples * bytesPerSample));
    if (samples === 0) return;
    // A copy: the bytes may begin at an odd address, and their memory may be shared.
    const chunk = new Int16Array(samples * 2);
    all.copy(Buffer.from(chunk.buffer), 0, 0, samples * bytesPerSample);
    this.#chunks.push(chunk);
    this.#length += samples;
  }

  /** Takes the oldest samples into the beginning of `target`, as many as there are and as fit; returns how many. */
  take(target: Int16Array): number {
    let filled = 0;
    for (;;) {
      const [chunk] = this.#chunks;
      if (chunk === undefined || filled === target.length) break;
      const part = chunk.subarray(this.#taken, this.#taken + target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#taken += part.length;
      if (this.#taken < chunk.length) continue;
      this.#chunks.shift();
      this.#taken = 0;
    }
    this.#length -= filled / 2;
    return filled / 2;
  }

  /** Drops the oldest samples, down to `length`. */
  shorten(length: number): void {
    if (this.#length > length) this.take(new Int16Array((this.#length - length) * 2));
  }
}
