import type { FlvTag } from '../media/flv-tag.ts';
import { findTagRole } from '../media/tag-role.ts';

/** More than our own encodes have in a GOP of two seconds. */
const maxBytes = 16 * 1024 * 1024;

/**
 * The media from the newest keyframe on, for a connection that begins in mid-stream.
 *
 * A GOP may never end: a file's picture may be over long before its sound. What is oldest of it is let go then, but the keyframe.
 */
export class RunningGop {
  #keyframe: FlvTag | undefined;
  #rest: FlvTag[] = [];
  #sizeBytes = 0;
  #isShort = false;
  #lacksPictures = false;

  push(tag: FlvTag): void {
    if (findTagRole(tag) === 'keyframe') {
      this.#keyframe = tag;
      this.#rest = [];
      this.#sizeBytes = tag.body.length;
      this.#isShort = false;
      this.#lacksPictures = false;
      return;
    }
    if (tag.kind === 'video' && this.#lacksPictures) return;
    this.#rest.push(tag);
    this.#sizeBytes += tag.body.length;
    if (this.#sizeBytes > maxBytes) this.#dropOldest();
  }

  /** Whether pictures are missing, without which those up to the next keyframe cannot be decoded. */
  get lacksPictures(): boolean {
    return this.#lacksPictures;
  }

  /** The keyframe first, which stands right before what is left. */
  get tags(): FlvTag[] {
    if (this.#keyframe === undefined) return this.#rest;
    const timestampMs = (this.#isShort ? this.#rest[0]?.timestampMs : undefined) ?? this.#keyframe.timestampMs;
    return [{ ...this.#keyframe, timestampMs }, ...this.#rest];
  }

  /** Lets go down to half of what there may be, so that it is not done for each frame. */
  #dropOldest(): void {
    const size = ({ body }: FlvTag) => body.length;
    const sum = (tags: readonly FlvTag[]) => tags.reduce((bytes, tag) => bytes + size(tag), 0);
    this.#isShort = true;
    if (this.#rest.some(({ kind }) => kind === 'video')) {
      this.#lacksPictures = true;
      this.#rest = this.#rest.filter(({ kind }) => kind !== 'video');
    }
    let left = sum(this.#rest);
    const first = this.#rest.findIndex((tag) => {
      const isRoom = left <= maxBytes / 2;
      left -= size(tag);
      return isRoom;
    });
    this.#rest = first < 0 ? [] : this.#rest.slice(first);
    this.#sizeBytes = (this.#keyframe ? size(this.#keyframe) : 0) + sum(this.#rest);
  }
}
