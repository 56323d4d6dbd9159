/** How much media one rendition may keep in memory, and how much it does. */
export interface MemoryShare {
  /** Bytes it may keep now: as many as the others leave, and at least its fair share. */
  readonly maxBytes: number;
  /** Bytes that may wait to be written to disk beyond that: as many as the writes of the others leave. */
  readonly maxWaitingBytes: number;
  /**
   * Reports how many bytes it keeps, and how many of them could go to disk. If the total is too high, `onShortage` is called for the
   * others above their fair share that have any such.
   */
  note(bytes: number, spillableBytes: number): void;
  /** This many more bytes wait to be written; fewer if negative. */
  addWaiting(bytes: number): void;
  /** Gives the share back. */
  close(): void;
}

interface Holder {
  bytes: number;
  spillableBytes: number;
  waitingBytes: number;
  onShortage: () => void;
}

/**
 * One limit on the media that all renditions of a service keep in memory, however many streams are on air, and the same limit again
 * on what waits for a slow disk.
 *
 * Live edges may exceed it: a store bounds its own.
 */
export class MediaMemory {
  readonly #maxBytes: number;
  readonly #holders = new Set<Holder>();
  #isRelieving = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** `onShortage` must make room and `note` what is left: another rendition needs it. */
  openShare(onShortage: () => void): MemoryShare {
    const holder: Holder = { bytes: 0, spillableBytes: 0, waitingBytes: 0, onShortage };
    this.#holders.add(holder);
    const leftByOthers = (kind: 'bytes' | 'waitingBytes') => this.#maxBytes - (this.#sum(kind) - holder[kind]);
    const fairBytes = () => this.#fairBytes;
    return {
      get maxBytes() {
        return Math.max(leftByOthers('bytes'), fairBytes());
      },
      get maxWaitingBytes() {
        return Math.max(leftByOthers('waitingBytes'), 0);
      },
      note: (bytes, spillableBytes) => {
        holder.bytes = bytes;
        holder.spillableBytes = spillableBytes;
        this.#relieve(holder);
      },
      addWaiting: (bytes) => {
        holder.waitingBytes += bytes;
      },
      close: () => {
        this.#holders.delete(holder);
      },
    };
  }

  #sum(kind: 'bytes' | 'waitingBytes'): number {
    let sum = 0;
    for (const holder of this.#holders) sum += holder[kind];
    return sum;
  }

  get #fairBytes(): number {
    return this.#maxBytes / Math.max(this.#holders.size, 1);
  }

  /** If the total is too high, asks those that can to make room, but not `noted`, which has just done so. */
  #relieve(noted: Holder): void {
    if (this.#isRelieving || this.#sum('bytes') <= this.#maxBytes) return;
    this.#isRelieving = true;
    try {
      for (const holder of [...this.#holders]) {
        if (holder !== noted && holder.spillableBytes > 0 && holder.bytes > this.#fairBytes) holder.onShortage();
      }
    } finally {
      this.#isRelieving = false;
    }
  }
}
