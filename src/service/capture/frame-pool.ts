/** A picture that several take: its memory is used again when all have released it. */
export interface PooledFrame {
  readonly bytes: Buffer;
  /** Says that one more uses it. */
  keep(): PooledFrame;
  /** Must be called once by each who uses it, the first included. */
  release(): void;
}

/** More than a tap queues; beyond it, memory goes back to the system. */
const maxSpare = 4;

/** Memory for pictures of one size. Allocating megabytes for each frame would keep the garbage collector busy. */
export class FramePool {
  readonly #sizeBytes: number;
  readonly #spare: Buffer[] = [];

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** Memory for a picture, with anything in it. */
  take(): PooledFrame {
    const bytes = this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#sizeBytes);
    let uses = 1;
    const frame: PooledFrame = {
      bytes,
      keep() {
        uses += 1;
        return frame;
      },
      release: () => {
        uses -= 1;
        if (uses < 0) throw new Error('A picture was released too often.');
        if (uses === 0 && this.#spare.length < maxSpare) this.#spare.push(bytes);
      },
    };
    return frame;
  }
}

/** A picture that is never used for another. */
export function lastingFrame(bytes: Buffer): PooledFrame {
  const frame: PooledFrame = { bytes, keep: () => frame, release() {} };
  return frame;
}
