/** Sizes are multiples of this: media of about the same size can have the same block. */
const stepBytes = 512;
/** A block may be larger than its content by one part in this many, plus a step. */
const wasteShare = 8;
/** The most bytes that wait to be reused: about as many as a segment gives back when it leaves memory. */
const maxFreeBytes = 4 * 2 ** 20;

interface Block {
  memory: Buffer;
  /** How many readers hold it. */
  readers: number;
  isGivenBack: boolean;
}

/**
 * Memory for media that is kept for seconds or minutes, and reused once nobody needs its content.
 *
 * V8 frees a buffer of that age only in a full garbage collection, and lets 64 MiB of them pile up before it begins one. A block
 * that is given back doesn't wait for that. A block that never is, or that a reader never releases, is freed like any other
 * buffer.
 */
export class MediaBlocks {
  readonly #maxFreeBytes: number;
  /** Blocks by the memory of their buffer, so that each view of it leads there. */
  readonly #blocks = new WeakMap<ArrayBufferLike, Block>();
  /** Free blocks, the longest waiting first. */
  readonly #free: Buffer[] = [];
  #freeBytes = 0;

  constructor(options: { maxFreeBytes?: number } = {}) {
    this.#maxFreeBytes = options.maxFreeBytes ?? maxFreeBytes;
  }

  /** Bytes that wait to be used again. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** A buffer of this size, with arbitrary content. */
  take(sizeBytes: number): Buffer {
    const memory = this.#takeFree(sizeBytes) ?? Buffer.allocUnsafeSlow(Math.ceil(sizeBytes / stepBytes) * stepBytes);
    this.#blocks.set(memory.buffer, { memory, readers: 0, isGivenBack: false });
    return memory.subarray(0, sizeBytes);
  }

  /**
   * Keeps the content of these buffers, or views of them, until the returned function is called. Ignores buffers that aren't from
   * here.
   */
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

  /** Only readers that hold these buffers already will read them. Ignores buffers that aren't from {@link take}. */
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

/** The blocks of all media in this process. */
export const mediaBlocks = new MediaBlocks();
