import type { Meters } from '../../shared/model/live.ts';
import { nothingSparse, plus, type SparseMedia } from './frame-spacing.ts';
import { isTimeJump } from './time-jump.ts';

/** Frames are counted over this many milliseconds of media; with less than the minimum nothing is reported. */
const windowMs = 60_000;
const minWindowMs = 10_000;
const bucketMs = 1_000;
/** Frame rates and timestamps are rounded: a smaller missing share is not counted. */
const roundingShare = 0.003;

/** Frames are lost in a second that lacks at least this share of them. */
const lossShare = 0.1;
/** Losses are separate if this much media between them is complete, in milliseconds: as much as frame rates are measured over. */
const apartMs = 5_000;

/** Missing frames of the last minute. */
type DroppedCount = NonNullable<Meters['droppedFrames']>;

/** A second of media, and how much of it comes from a slower source. */
interface Bucket {
  firstMs: number;
  frames: number;
  sparse: SparseMedia;
}

/**
 * Counts frames that the encoder dropped, from the gaps in its timestamps: the difference between the frame rate and the frames
 * that came over the last minute of media. Late frames and bursts do not count. Media of a source that makes fewer frames is left
 * out, since drops can't be told there. Decode times in milliseconds.
 */
export class DroppedFrames {
  readonly #buckets: Bucket[] = [];
  /** Frames in all buckets. */
  #frames = 0;
  #sparse = nothingSparse;
  #newestMs: number | undefined;
  /** The frame rate of the last `read`. */
  #fps: number | undefined;

  /** @param sparse the media that `FrameSpacing` has found to be a slower source's */
  add(timestampMs: number, sparse = nothingSparse): void {
    if (isTimeJump(this.#newestMs, timestampMs)) this.#restart();
    this.#newestMs = Math.max(this.#newestMs ?? timestampMs, timestampMs);
    this.#frames += 1;
    const last = this.#buckets.at(-1);
    if (last && sparse.frames > 0) {
      last.sparse = plus(last.sparse, sparse);
      this.#sparse = plus(this.#sparse, sparse);
    }
    if (last && timestampMs - last.firstMs < bucketMs) {
      last.frames += 1;
      return;
    }
    this.#buckets.push({ firstMs: timestampMs, frames: 1, sparse: nothingSparse });
    while (timestampMs - (this.#buckets[0]?.firstMs ?? timestampMs) > windowMs) this.#forgetFirst();
  }

  #forgetFirst(): void {
    const { frames, sparse } = this.#buckets.shift() ?? { frames: 0, sparse: nothingSparse };
    this.#frames -= frames;
    this.#sparse = minus(this.#sparse, sparse);
  }

  /**
   * The missing frames at this frame rate, and their share of the expected ones (0 to 1); undefined until ten seconds are known. When
   * the frame rate changes, counting starts over.
   */
  read(fps: number | undefined): DroppedCount | undefined {
    if (this.#fps !== undefined && fps !== this.#fps) this.#restart();
    this.#fps = fps;
    const [first, last] = [this.#buckets[0], this.#buckets.at(-1)];
    if (fps === undefined || first === undefined || last === undefined) return undefined;
    const sparse = minus(this.#sparse, last.sparse);
    const spanMs = last.firstMs - first.firstMs - sparse.ms;
    if (spanMs < minWindowMs) return undefined;
    const expected = (spanMs * fps) / 1000;
    const missing = expected - (this.#frames - last.frames - sparse.frames);
    const count = missing <= expected * roundingShare ? 0 : Math.round(missing);
    return { count, ratio: count / expected, ...(this.#isRepeated(fps) && { isRepeated: true }) };
  }

  /** Whether frames were lost more than once. */
  #isRepeated(fps: number): boolean {
    let completeSinceMs: number | undefined;
    for (const [at, { firstMs, frames, sparse }] of this.#buckets.entries()) {
      const endMs = this.#buckets[at + 1]?.firstMs ?? firstMs;
      const missing = ((endMs - firstMs - sparse.ms) * fps) / 1000 - (frames - sparse.frames);
      if (missing < lossShare * fps) continue;
      if (completeSinceMs !== undefined && firstMs - completeSinceMs >= apartMs) return true;
      completeSinceMs = endMs;
    }
    return false;
  }

  #restart(): void {
    this.#newestMs = undefined;
    this.#buckets.length = 0;
    this.#frames = 0;
    this.#sparse = nothingSparse;
  }
}

function minus(one: SparseMedia, other: SparseMedia): SparseMedia {
  return { ms: one.ms - other.ms, frames: one.frames - other.frames };
}
