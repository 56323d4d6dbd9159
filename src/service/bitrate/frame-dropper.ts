import { failingQueueMs } from '../../shared/upload-queue.ts';

/** A frame of video on its way to one of the ways out. */
export interface OfferedFrame {
  isKeyframe: boolean;
  /** No other frame needs it to be decoded. */
  isDisposable: boolean;
}

/**
 * Frames that no other frame needs are dropped from {@link failingQueueMs} on. From a wait this long on, in milliseconds, or if there
 * are no such frames, all frames are dropped up to the next keyframe.
 */
const dropToKeyframeQueueMs = 900;
/** An encoder that makes disposable frames makes at least one among this many. */
const seenWithin = 60;

/** A run of dropped frames. `withDisposable`: the encoder makes frames that can be dropped alone. */
export interface DropReport {
  frames: number;
  toKeyframe: boolean;
  withDisposable: boolean;
}

/**
 * Decides which frames a way out gets while too much is waiting on it. Audio is never dropped here: it is small, and people miss it
 * most. One dropper per way, since ways differ in speed.
 */
export class FrameDropper {
  #dropsToKeyframe = false;
  #sinceDisposable = seenWithin;
  #dropped: DropReport | undefined;
  #droppedFrames = 0;

  /** Frames dropped so far. */
  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  /** A new connection begins with a whole GOP, so no frames are missing on it. */
  begin(): void {
    this.#dropsToKeyframe = false;
  }

  /** Whether to send a frame that would wait `waitMs`. */
  take({ isKeyframe, isDisposable }: OfferedFrame, waitMs: number): boolean {
    this.#sinceDisposable = isDisposable ? 0 : Math.min(seenWithin, this.#sinceDisposable + 1);
    const hasDisposable = this.#sinceDisposable < seenWithin;
    const toKeyframeMs = hasDisposable ? dropToKeyframeQueueMs : failingQueueMs;
    if (waitMs >= toKeyframeMs) this.#dropsToKeyframe = true;
    else if (isKeyframe) this.#dropsToKeyframe = false;
    const drops = this.#dropsToKeyframe || (isDisposable && waitMs >= failingQueueMs);
    if (drops) {
      this.#droppedFrames += 1;
      this.#dropped = {
        frames: (this.#dropped?.frames ?? 0) + 1,
        toKeyframe: this.#dropsToKeyframe || this.#dropped?.toKeyframe === true,
        withDisposable: hasDisposable,
      };
    }
    return !drops;
  }

  /** The frames dropped since the last call; undefined if there were none, or while frames are still being dropped. */
  takeReport(): DropReport | undefined {
    if (this.#dropsToKeyframe) return undefined;
    const dropped = this.#dropped;
    this.#dropped = undefined;
    return dropped;
  }
}
