import type { FlvTag } from '../flv/flv-tag.ts';
import type { TagRole } from './rtmp-publisher.ts';

/** Limits on what waits; beyond either, the queue drops frames. */
export interface SendQueueBounds {
  maxQueueMs: number;
  maxQueueBytes: number;
}

/** A tag in the queue. */
export interface QueuedTag extends FlvTag {
  role: TagRole;
}

/** Tags waiting to be sent. If the network is too slow it drops frames up to the next keyframe, but never what a decoder needs first. */
export class SendQueue<Tag extends QueuedTag = QueuedTag> {
  readonly #bounds: SendQueueBounds;
  #tags: Tag[] = [];
  #sizeBytes = 0;
  #awaitsKeyframe = false;
  #droppedFrames = 0;

  constructor(bounds: SendQueueBounds) {
    this.#bounds = bounds;
  }

  /** Video frames dropped so far. */
  get droppedFrames(): number {
    return this.#droppedFrames;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Media time from the oldest waiting tag to the newest, in milliseconds. */
  get durationMs(): number {
    const oldest = this.#tags.find(isDroppable);
    const newest = this.#tags.findLast(isDroppable);
    if (oldest === undefined || newest === undefined) return 0;
    // Timestamps wrap, and audio and video may be slightly out of order.
    return Math.max(0, (newest.timestampMs - oldest.timestampMs) | 0);
  }

  push(tag: Tag): void {
    if (tag.role === 'keyframe') this.#awaitsKeyframe = false;
    if (this.#awaitsKeyframe && isVideoFrame(tag)) {
      this.#droppedFrames += 1;
      return;
    }
    this.#tags.push(tag);
    this.#sizeBytes += tag.body.length;
    if (this.#isOverfull()) this.#dropToKeyframe();
  }

  shift(): Tag | undefined {
    const tag = this.#tags.shift();
    if (tag !== undefined) this.#sizeBytes -= tag.body.length;
    return tag;
  }

  /** Drops all media before the newest waiting keyframe, or everything until the next keyframe arrives. */
  #dropToKeyframe(): void {
    const keyframeAt = this.#tags.findLastIndex(({ role }) => role === 'keyframe');
    this.#keep((tag, index) => !isDroppable(tag) || (keyframeAt > 0 && index >= keyframeAt));
    if (keyframeAt > 0 && !this.#isOverfull()) return;
    this.#keep((tag) => !isDroppable(tag));
    this.#awaitsKeyframe = true;
  }

  #keep(isKept: (tag: Tag, index: number) => boolean): void {
    const before = this.#tags;
    this.#tags = before.filter(isKept);
    this.#sizeBytes = this.#tags.reduce((sum, tag) => sum + tag.body.length, 0);
    this.#droppedFrames += before.filter(isVideoFrame).length - this.#tags.filter(isVideoFrame).length;
  }

  #isOverfull(): boolean {
    return this.durationMs > this.#bounds.maxQueueMs || this.#sizeBytes > this.#bounds.maxQueueBytes;
  }
}

function isDroppable({ role }: QueuedTag): boolean {
  return role !== 'config';
}

function isVideoFrame({ role }: QueuedTag): boolean {
  return role === 'keyframe' || role === 'frame';
}
