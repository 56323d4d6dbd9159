import type { MediaQueue } from './media-queue.ts';

/** Times are whole ticks: what is nearer than this is the same. */
const toleranceMs = 0.02;

/**
 * Divides the segment that is being filled into parts.
 *
 * A part is a whole number of frames, as near to the wanted length as that can be where the rate is fixed. Otherwise it ends
 * before it would be longer. It ends before every keyframe too, so that players can start there.
 */
export class PartCutter {
  readonly #queue: MediaQueue;
  readonly #partMs: number;
  #startMs = 0;

  constructor(queue: MediaQueue, partMs: number) {
    this.#queue = queue;
    this.#partMs = partMs;
  }

  /** The part that is being filled starts here. */
  get startMs(): number {
    return this.#startMs;
  }

  /** A segment begins at this time. */
  begin(startMs: number): void {
    this.#startMs = startMs;
  }

  /** When the frame at this place is reached, on the presentation time line that the segment began on. */
  timeMs(index: number): number {
    const { video, assignedFrames } = this.#queue;
    return this.#startMs + video.decodeMs(index) - video.decodeMs(assignedFrames);
  }

  /** The length of a part of video: that of a whole number of frames where the rate is fixed. */
  get videoTargetMs(): number {
    const { fps } = this.#queue.video;
    return fps === undefined ? this.#partMs : (Math.max(Math.round((this.#partMs * fps) / 1000), 1) * 1000) / fps;
  }

  /** Decides the parts of the video before the frame at `limit`, as far as they are whole. */
  cutVideo(limit: number): void {
    if (this.#queue.video.rateSettled) this.#cutWhole(limit, limit);
  }

  /** Ends the segment: the frames before the one at `limit` are its last part. */
  endVideo(limit: number, endMs: number, segmentEndMs = endMs, incomplete = false): void {
    this.#cutWhole(limit, limit - 1);
    const frames = limit - this.#queue.assignedFrames;
    // With open GOPs the presentation ends later than the decode times say: a part is never said to be longer than it may be.
    const longestMs = frames > 1 ? this.videoTargetMs : Number.POSITIVE_INFINITY;
    if (frames > 0) this.#cut(frames, this.#startMs + Math.min(Math.max(endMs - this.#startMs, 1), longestMs));
    this.#queue.end(segmentEndMs, incomplete);
  }

  #cutWhole(limit: number, lastEnd: number): void {
    for (;;) {
      const first = this.#queue.assignedFrames;
      const end = this.#findEnd(first, limit);
      if (end === undefined || end > lastEnd) return;
      const lengthMs = this.timeMs(end) - this.#startMs;
      // Frames stand on whole ticks: a part is never said to be longer than its target by the fraction of one.
      const exact = Math.abs(lengthMs - this.videoTargetMs) <= toleranceMs;
      this.#cut(end - first, this.#startMs + (exact ? this.videoTargetMs : lengthMs));
    }
  }

  #findEnd(first: number, limit: number): number | undefined {
    const { video } = this.#queue;
    const targetMs = this.videoTargetMs;
    const startMs = video.decodeMs(first);
    for (let index = first + 1; index <= limit; index += 1) {
      const lengthMs = video.decodeMs(index) - startMs;
      if (lengthMs > targetMs + toleranceMs) return Math.max(index - 1, first + 1);
      if (lengthMs >= targetMs - toleranceMs || video.isKeyframe(index)) return index;
    }
    return undefined;
  }

  #cut(frames: number, endMs: number): void {
    this.#queue.part(frames, this.#startMs, endMs, this.videoTargetMs);
    this.#startMs = endMs;
  }

  /** Decides the parts of sound alone, as far as it has come, up to a time. */
  cutAudio(limitMs = Number.POSITIVE_INFINITY): void {
    const { audio } = this.#queue;
    const config = audio.lastConfig;
    if (config === undefined) return;
    const frameMs = (config.samplesPerFrame * 1000) / config.coreSampleRateHz;
    const targetMs = Math.max(Math.round(this.#partMs / frameMs), 1) * frameMs;
    for (;;) {
      const endMs = audio.findEndFrom(this.#startMs + targetMs - toleranceMs);
      if (endMs === undefined || endMs > limitMs) return;
      this.#queue.part(0, this.#startMs, endMs, targetMs);
      this.#startMs = endMs;
    }
  }

  /** Ends a segment of sound alone. */
  endAudio(endMs: number, segmentEndMs = endMs, incomplete = false): void {
    if (endMs > this.#startMs) this.#queue.part(0, this.#startMs, endMs, Math.max(this.#partMs, endMs - this.#startMs));
    this.#queue.end(segmentEndMs, incomplete);
  }
}
