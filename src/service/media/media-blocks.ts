/** Sizes are multiples of this: media of about the same size can have the same block. */
const stepBytes = 512;
/** A block may be larger than what is put into it by one part in this many, and by a step. */
const wasteShare = 8;
/** What may wait to be used again: about what is given back at once when a segment leaves memory. */
const maxFreeBytes = 4 * 2 ** 20;

interface Block {
  memory: Buffer;
  /** Who holds it. */
  readers: number;
  isGivenBack: boolean;
}

/**
 * Memory for media that is kept for seconds or minutes, and used again once nobody needs what is in it.
 *
 * V8 frees a buffer of that age only in a full garbage collection, and lets 64 MiB of them pile up before it begins one. A block that
 * is given back waits for none. One that never is, or that a reader never lets go of, is freed like any other buffer.
 */
export class MediaBlocks {
  readonly #maxFreeBytes: number;
  /** By the memory of what was taken, so that each view of it leads there. */
  readonly #blocks = new WeakMap<ArrayBufferLike, Block>();
  /** Longest waiting first. */
  readonly #free: Buffer[] = [];
  #freeBytes = 0;

  constructor(options: { maxFreeBytes?: number } = {}) {
    this.#maxFreeBytes = options.maxFreeBytes ?? maxFreeBytes;
  }

  /** Bytes that wait to be used again. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** A buffer of this size, with anything in it. */
  take(sizeBytes: number): Buffer {
    const memory = this.#takeFree(sizeBytes) ?? Buffer.allocUnsafeSlow(Math.ceil(sizeBytes / stepBytes) * stepBytes);
    this.#blocks.set(memory.buffer, { memory, readers: 0, isGivenBack: false });
    return memory.subarray(0, sizeBytes);
  }

  /** Keeps what is in these buffers, or views of them, until the returned function is called. Others than from here are ignored. */
  hold(buffers: readonly Buffer[]): () => void {
    const held = buffers.flatMap(({ buffer }) => this.#blocks.get(buffer) ?? []);
    for (const block of held) block.readers += 1;
    return () => {
      for (const block of held.splice(0)) {
        block.readers -= 1;
        this.#freeIfUnused(block);
      }
    };
  }

  /** Nobody will read these buffers who does not hold them already. Others than from {@link take} are ignored. */
  giveBack(buffers: readonly Buffer[]): void {
    for (const { buffer } of buffers) {
      const block = this.#blocks.get(buffer);
      if (block === undefined) continue;
      block.isGivenBack = true;
      this.#freeIfUnused(block);
    }
  }

  #freeIfUnused({ memory, readers, isGivenBack }: Block): void {
    if (!isGivenBack || readers > 0) return;
    this.#blocks.delete(memory.buffer);
    this.#free.push(memory);
    this.#freeBytes += memory.length;
    while (this.#freeBytes > this.#maxFreeBytes) this.#freeBytes -= this.#free.shift()?.length ?? 0;
  }

  /** The smallest free block that this fits into without much waste. */
  #takeFree(sizeBytes: number): Buffer | undefined {
    const mostBytes = sizeBytes + sizeBytes / wasteShare + stepBytes;
    let best: Buffer | undefined;
    for (const memory of this.#free) {
      if (memory.length < sizeBytes || memory.length > mostBytes) continue;
      if (best === undefined || memory.length < best.length) best = memory;
    }
    if (best === undefined) return undefined;
    this.#free.splice(this.#free.indexOf(best), 1);
    this.#freeBytes -= best.length;
    return best;
  }
}

/** Those of all media in this process. */
export const mediaBlocks = new MediaBlocks();
