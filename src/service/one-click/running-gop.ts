import { type AudioUnit, isKeyframe, sizeOf, type VideoUnit } from '../media/media-unit.ts';

/** What a GOP is made of. */
type FrameUnit = VideoUnit | AudioUnit;

/** More than our own encodes have in a GOP of two seconds. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The media from the newest keyframe on, for a connection that begins in mid-stream.
 *
 * A GOP may never end: a file's picture may be over long before its sound. What is oldest of it is let go then, but the keyframe.
 */
export class RunningGop {
  #keyframe: VideoUnit | undefined;
  #rest: FrameUnit[] = [];
  #sizeBytes = 0;
  #isShort = false;
  #lacksPictures = false;

  push(unit: FrameUnit): void {
    if (isKeyframe(unit)) {
      this.#keyframe = unit;
      this.#rest = [];
      this.#sizeBytes = sizeOf(unit);
      this.#isShort = false;
      this.#lacksPictures = false;
      return;
    }
    if (unit.type === 'video' && this.#lacksPictures) return;
    this.#rest.push(unit);
    this.#sizeBytes += sizeOf(unit);
    if (this.#sizeBytes > maxBytes) this.#dropOldest();
  }

  /** Whether pictures are missing, without which those up to the next keyframe cannot be decoded. */
  get lacksPictures(): boolean {
    return this.#lacksPictures;
  }

  /** The keyframe first, which stands right before what is left. */
  get units(): FrameUnit[] {
    const keyframe = this.#keyframe;
    if (keyframe === undefined) return this.#rest;
    const dts = (this.#isShort ? this.#rest[0]?.dts : undefined) ?? keyframe.dts;
    return [{ ...keyframe, dts, pts: keyframe.pts + dts - keyframe.dts }, ...this.#rest];
  }

  /** Lets go down to half of what there may be, so that it is not done for each frame. */
  #dropOldest(): void {
    const sum = (units: readonly FrameUnit[]) => units.reduce((bytes, unit) => bytes + sizeOf(unit), 0);
    this.#isShort = true;
    if (this.#rest.some(({ type }) => type === 'video')) {
      this.#lacksPictures = true;
      this.#rest = this.#rest.filter(({ type }) => type !== 'video');
    }
    let left = sum(this.#rest);
    const first = this.#rest.findIndex((unit) => {
      const isRoom = left <= maxBytes / 2;
      left -= sizeOf(unit);
      return isRoom;
    });
    this.#rest = first < 0 ? [] : this.#rest.slice(first);
    this.#sizeBytes = (this.#keyframe ? sizeOf(this.#keyframe) : 0) + sum(this.#rest);
  }
}
