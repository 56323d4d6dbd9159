import { FramePool, type PooledFrame } from './frame-pool.ts';

/** Cuts the bytes of raw pictures of one size into pictures. */
export class FrameReader {
  readonly #sizeBytes: number;
  readonly #pool: FramePool;
  #open: PooledFrame | undefined;
  #filled = 0;

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
    this.#pool = new FramePool(sizeBytes);
  }

  /** The pictures that these bytes complete; the caller releases them. */
  push(bytes: Buffer): PooledFrame[] {
    const complete: PooledFrame[] = [];
    for (let position = 0; position < bytes.length; ) {
      this.#open ??= this.#pool.take();
      const taken = bytes.copy(this.#open.bytes, this.#filled, position);
      position += taken;
      this.#filled += taken;
      if (this.#filled < this.#sizeBytes) continue;
      complete.push(this.#open);
      this.#open = undefined;
      this.#filled = 0;
    }
    return complete;
  }
}
