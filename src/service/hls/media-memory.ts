/** How much media one rendition may keep in memory, and how much it does. */
export interface MemoryShare {
  /** Bytes it may keep now: what the others leave, and at least its fair share. */
  readonly maxBytes: number;
  /** Reports how many bytes it keeps. If the total is too high, `onShortage` is called for renditions above their fair share. */
  note(bytes: number): void;
  /** Gives the share back. */
  close(): void;
}

/**
 * One limit on the media that all renditions of a service keep in memory, however many streams are on air.
 *
 * Live edges, which never leave memory, and segments being written to disk may exceed it.
 */
export class MediaMemory {
  readonly #maxBytes: number;
  readonly #holders = new Set<{ bytes: number; onShortage: () => void }>();
  #isRelieving = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `onShortage` must make room and `note` what is left: another rendition needs it, and this one has more than its fair share. */
  openShare(onShortage: () => void): MemoryShare {
    const holder = { bytes: 0, onShortage };
    this.#holders.add(holder);
    const others = () => this.#total() - holder.bytes;
    const memory = this;
    return {
      get maxBytes() {
        return Math.max(memory.#maxBytes - others(), memory.#fairBytes());
      },
      note(bytes) {
        holder.bytes = bytes;
        memory.#relieve(holder);
      },
      close() {
        holder.bytes = 0;
        memory.#holders.delete(holder);
      },
    };
  }

  #total(): number {
    let sum = 0;
    for (const { bytes } of this.#holders) sum += bytes;
    return sum;
  }

  #fairBytes(): number {
    return this.#maxBytes / Math.max(this.#holders.size, 1);
  }

  /** If the total is too high, asks all holders but `noted`, which has just made room itself. */
  #relieve(noted: object): void {
    if (this.#isRelieving || this.#total() <= this.#maxBytes) return;
    this.#isRelieving = true;
    try {
      const fairBytes = this.#fairBytes();
      for (const holder of [...this.#holders]) if (holder !== noted && holder.bytes > fairBytes) holder.onShortage();
    } finally {
      this.#isRelieving = false;
    }
  }
}
