import type { FlvTag } from '../flv/flv-tag.ts';
import type { TagRole } from './rtmp-publisher.ts';

/** Limits on how long media waits, and on how much of it; beyond either, the queue drops frames. */
export interface SendQueueBounds {
  maxQueueMs: number;
  maxQueueBytes: number;
}

/** A tag in the queue. */
export interface QueuedTag extends FlvTag {
  role: TagRole;
  /**
   * When the tag was queued, in milliseconds of a monotonic clock: later than it was made if it belongs to the GOP a connection
   * begins with.
   */
  queuedAtMs: number;
}

/** Tags waiting to be sent. If the network is too slow it drops frames up to the next keyframe, but never what a decoder needs first. */
export class SendQueue {
  readonly #bounds: SendQueueBounds;
  #tags: QueuedTag[] = [];
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

  /**
   * How long the oldest media has been waiting, in milliseconds, by when it was queued: a GOP queued at once hasn't waited for
   * its duration.
   */
  waitedMs(nowMs: number): number {
    const oldest = this.#tags.find(isDroppable);
    return oldest === undefined ? 0 : nowMs - oldest.queuedAtMs;
  }

  push(tag: QueuedTag): void {
    if (tag.role === 'keyframe') this.#awaitsKeyframe = false;
    if (this.#awaitsKeyframe && isVideoFrame(tag)) {
      this.#droppedFrames += 1;
      return;
    }
    this.#tags.push(tag);
    this.#sizeBytes += tag.body.length;
    if (this.#isOverfull(tag.queuedAtMs)) this.#dropToKeyframe(tag.queuedAtMs);
  }

  shift(): QueuedTag | undefined {
    const tag = this.#tags.shift();
    if (tag !== undefined) this.#sizeBytes -= tag.body.length;
    return tag;
  }

  /** Drops all media before the newest waiting keyframe, or everything until the next keyframe arrives. */
  #dropToKeyframe(nowMs: number): void {
    const keyframeAt = this.#tags.findLastIndex(({ role }) => role === 'keyframe');
    this.#keep((tag, index) => !isDroppable(tag) || index >= keyframeAt);
    if (keyframeAt > 0 && !this.#isOverfull(nowMs)) return;
    this.#keep((tag) => !isDroppable(tag));
    this.#awaitsKeyframe = true;
  }

  #keep(isKept: (tag: QueuedTag, index: number) => boolean): void {
    const before = this.#tags;
    this.#tags = before.filter(isKept);
    this.#sizeBytes = this.#tags.reduce((sum, tag) => sum + tag.body.length, 0);
    this.#droppedFrames += before.filter(isVideoFrame).length - this.#tags.filter(isVideoFrame).length;
  }

  #isOverfull(nowMs: number): boolean {
    return this.waitedMs(nowMs) > this.#bounds.maxQueueMs || this.#sizeBytes > this.#bounds.maxQueueBytes;
  }
}

function isDroppable({ role }: QueuedTag): boolean {
  return role !== 'config';
}

function isVideoFrame({ role }: QueuedTag): boolean {
  return role === 'keyframe' || role === 'frame';
}
