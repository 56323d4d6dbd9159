/** A picture with several users. Its memory is reused once all have released it. */
export interface PooledFrame {
  readonly bytes: Buffer;
  /** Adds a user. */
  keep(): PooledFrame;
  /** Each user calls it once, the first included. */
  release(): void;
}

/** More than a tap queues; memory beyond this is given back to the system. */
const maxSpare = 4;

/** Memory for pictures of one size. Allocating megabytes for each frame would keep the garbage collector busy. */
export class FramePool {
  readonly #sizeBytes: number;
  readonly #spare: Buffer[] = [];

  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** Memory for a picture; its content is undefined. */
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

/** A picture whose memory is never reused. */
export function lastingFrame(bytes: Buffer): PooledFrame {
  const frame: PooledFrame = { bytes, keep: () => frame, release() {} };
  return frame;
}
