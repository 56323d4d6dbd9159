import { type AudioUnit, decodeMs, isKeyframe, sizeOf, type VideoUnit } from '../media/media-unit.ts';

/** The units of a GOP. */
type FrameUnit = VideoUnit | AudioUnit;

/** More than any two-second GOP of our own encodes has. */
const maxBytes = 16 * 1024 * 1024;
/** A new connection doesn't repeat media older than this, in milliseconds: viewers have seen it. */
export const staleMs = 5_000;

/**
 * The media since the newest keyframe, for a connection that starts in mid-stream.
 *
 * A GOP may never end: a video encoder that keeps failing leaves audio alone. Then the oldest media is dropped, except the keyframe.
 */
export class RunningGop {
  #keyframe: VideoUnit | undefined;
  #rest: FrameUnit[] = [];
  #sizeBytes = 0;
  /** When the newest frame is decoded, in milliseconds. */
  #videoMs = Number.NEGATIVE_INFINITY;
  /** The oldest media was dropped. */
  #isShort = false;
  #lacksFrames = false;

  push(unit: FrameUnit): void {
    if (unit.type === 'video') this.#videoMs = decodeMs(unit);
    if (isKeyframe(unit)) {
      this.#keyframe = unit;
      this.#rest = [];
      this.#sizeBytes = sizeOf(unit);
      this.#isShort = false;
      this.#lacksFrames = false;
      return;
    }
    if (unit.type === 'video' && this.#lacksFrames) return;
    this.#rest.push(unit);
    this.#sizeBytes += sizeOf(unit);
    const oldestMs = decodeMs(unit) - staleMs;
    // Down to half of the bound, so that it is not done for each frame.
    if (this.#sizeBytes > maxBytes) this.#dropOldest((_, left) => left <= maxBytes / 2);
    else if (oldestMs > this.#videoMs) this.#dropOldest((oldest) => decodeMs(oldest) >= oldestMs);
  }

  /** Whether frames are missing that the frames up to the next keyframe need to be decoded. */
  get lacksFrames(): boolean {
    return this.#lacksFrames;
  }

  /** The keyframe first, moved to just before the remaining units. */
  get units(): FrameUnit[] {
    const keyframe = this.#keyframe;
    if (keyframe === undefined) return this.#rest;
    const [next] = this.#rest;
    if (!this.#isShort || next === undefined) return [keyframe, ...this.#rest];
    const dts = (next.dts * keyframe.timescale) / next.timescale;
    return [{ ...keyframe, dts, pts: keyframe.pts + dts - keyframe.dts }, ...this.#rest];
  }

  /**
   * Drops all frames after the keyframe, and the oldest audio, up to the first unit that `mayStay` accepts; `leftBytes` counts from that
   * unit on.
   */
  #dropOldest(mayStay: (unit: FrameUnit, leftBytes: number) => boolean): void {
    const sum = (units: readonly FrameUnit[]) => units.reduce((bytes, unit) => bytes + sizeOf(unit), 0);
    this.#isShort = true;
    if (this.#rest.some(({ type }) => type === 'video')) {
      this.#lacksFrames = true;
      this.#rest = this.#rest.filter(({ type }) => type !== 'video');
    }
    let left = sum(this.#rest);
    const first = this.#rest.findIndex((unit) => {
      const stays = mayStay(unit, left);
      left -= sizeOf(unit);
      return stays;
    });
    this.#rest = first < 0 ? [] : this.#rest.slice(first);
    this.#sizeBytes = (this.#keyframe ? sizeOf(this.#keyframe) : 0) + sum(this.#rest);
  }
}
