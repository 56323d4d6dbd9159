import type { CaptureFault } from '../../shared/model/capture.ts';
import { type PictureSize, pictureBytes } from './feed-format.ts';
import { FramePool, type PooledFrame } from './frame-pool.ts';
import { HeldPicture } from './held-picture.ts';
import { scalePicture } from './i420.ts';
import type { PictureTap } from './picture-tap.ts';

/** Frames that wait at most: their arrival and the feed's pace differ by a frame now and then. */
const maxWaiting = 2;
/** Pictures that have waited through this many frames of the feed are dropped: they only make the picture later than its sound. */
const lookFrames = 60;

/** The pictures of a device or a page, at the size one feed wants. The last one stays until there is another. */
export class LivePicture implements PictureTap {
  readonly settled: Promise<void>;
  readonly #size: PictureSize;
  readonly #pool: FramePool;
  readonly #onClose: () => Promise<void>;
  #settle = () => {};
  readonly #waiting: { frame: PooledFrame; size: PictureSize }[] = [];
  /** How many frames of the feed were looked at, and the fewest pictures that waited after any of them. */
  #looked = 0;
  #least = maxWaiting;
  readonly #shown = new HeldPicture();
  #fault: CaptureFault | undefined;
  #isClosed = false;

  constructor(size: PictureSize, onClose: () => Promise<void>) {
    this.#size = size;
    this.#pool = new FramePool(pictureBytes(size));
    this.#onClose = onClose;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get fault(): CaptureFault | undefined {
    return this.#fault;
  }

  /** Takes a new picture, which its owner releases. */
  offer(frame: PooledFrame, size: PictureSize): void {
    if (this.#isClosed) return;
    this.#fault = undefined;
    this.#waiting.push({ frame: frame.keep(), size });
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()?.frame.release();
    this.#settle();
  }

  /** The picture is away from now on. */
  lose(fault: CaptureFault): void {
    this.#fault = fault;
    this.#drop();
    this.#settle();
  }

  take(): PooledFrame | undefined {
    const next = this.#waiting.shift();
    this.#look();
    return this.#shown.show(next && this.#fit(next));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#drop();
    this.#settle();
    await this.#onClose();
  }

  #look(): void {
    this.#least = Math.min(this.#least, this.#waiting.length);
    this.#looked += 1;
    if (this.#looked < lookFrames) return;
    for (const { frame } of this.#waiting.splice(0, this.#least)) frame.release();
    this.#looked = 0;
    this.#least = maxWaiting;
  }

  #drop(): void {
    for (const { frame } of this.#waiting.splice(0)) frame.release();
    this.#shown.drop();
  }

  /** The picture at our size. Only pictures that are taken are scaled: a preview takes a third of a broadcast's. */
  #fit({ frame, size }: { frame: PooledFrame; size: PictureSize }): PooledFrame {
    if (size.width === this.#size.width && size.height === this.#size.height) return frame;
    const scaled = this.#pool.take();
    scalePicture(frame.bytes, size, scaled.bytes, this.#size);
    frame.release();
    return scaled;
  }
}
