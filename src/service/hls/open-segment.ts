import { stampRoundingMs, tickRoundingMs } from '../media/rounding.ts';
import type { MediaQueue } from './media-queue.ts';
import { minPartShare } from './playlist-targets.ts';
import type { PlannedSegment } from './segment-plan.ts';

export interface OpenSegmentOptions {
  planned: PlannedSegment;
  /** The segment is the first of a new timeline. */
  newTimeline: boolean;
  /** Its first frame comes this much after its start, or a little before it, by rounding. */
  leadMs?: number;
  /** Drop audio from before this time that is not part of the segment before. */
  audioFromMs?: number;
  /** The part target in milliseconds: undefined until it is known, and constant from then on. */
  findTarget: () => number | undefined;
}

/**
 * The segment that is being filled: decides its parts, all as long as the part target of the playlist, and its end. It owns the
 * start of the next part. Single use: each segment has its own.
 *
 * If the part target is a whole number of frames, a part has that many. Otherwise it has the frames that begin within its time,
 * even if they are only audio, so it is never shorter than the target allows. A part also ends before an independent frame, so
 * that players can start there, unless it would be too short. Nothing is cut until the part target is known.
 */
export class OpenSegment {
  readonly planned: PlannedSegment;
  readonly #queue: MediaQueue;
  readonly #findTarget: () => number | undefined;
  #partStartMs: number;
  /** How much later than the part its first frame begins. */
  #leadMs: number;

  /** Its first frame, if it has any, is the first that isn't assigned to a part yet. */
  constructor(queue: MediaQueue, { planned, newTimeline, leadMs = 0, audioFromMs, findTarget }: OpenSegmentOptions) {
    this.planned = planned;
    this.#queue = queue;
    this.#findTarget = findTarget;
    this.#partStartMs = planned.startMs;
    this.#leadMs = leadMs;
    queue.begin({ startMs: planned.startMs, newTimeline, planned, audioFromMs, continues: leadMs > 0 });
  }

  get kind(): PlannedSegment['kind'] {
    return this.planned.kind;
  }

  get startMs(): number {
    return this.planned.startMs;
  }

  /** Start of the part that is being filled. */
  get partStartMs(): number {
    return this.#partStartMs;
  }

  /** When the frame at this index is reached, on the presentation timeline of the segment's start. */
  timeMs(index: number): number {
    const { video } = this.#queue.media;
    return this.#partStartMs + this.#leadMs + video.decodeMs(index) - video.decodeMs(video.assigned);
  }

  /** Whether a part that ended before the frame at this index would be too short to be followed by another. */
  isPartTooShort(index: number): boolean {
    const lengthMs = this.timeMs(index) - this.#partStartMs;
    // Without a frame, a rest that is only rounding is no part.
    const isPart = index > this.#queue.media.video.assigned || lengthMs > stampRoundingMs;
    return isPart && lengthMs < (this.#findTarget() ?? 0) * minPartShare;
  }

  /** Decides the parts of the video before the frame at `limit`, as far as they are whole. */
  cutVideo(limit: number): void {
    if (this.#queue.media.video.rateSettled) this.#cutWhole(limit, limit);
  }

  /**
   * Ends the segment: its last parts have the frames before the one at `limit`. Returns its end: `segmentEndMs`, or if that is
   * not planned, `endMs`, and never before its parts end.
   */
  endVideo(limit: number, endMs: number, segmentEndMs?: number, incomplete = false): number {
    this.#cutRest(limit, endMs);
    const endsAtMs = segmentEndMs ?? Math.max(endMs, this.#partStartMs);
    this.#queue.end(endsAtMs, incomplete);
    return endsAtMs;
  }

  /** Decides the parts of all waiting frames, up to `endMs`: the rest of the segment is missing. */
  breakVideo(endMs: number): void {
    this.#cutRest(this.#queue.media.video.count, endMs);
  }

  /** Decides the parts of an audio-only segment, as far as the audio has arrived, up to a time. */
  cutAudio(limitMs = Number.POSITIVE_INFINITY): void {
    const { audio } = this.#queue.media;
    for (;;) {
      const untilMs = this.#partStartMs + this.#target;
      if ((audio.endMs ?? 0) < untilMs - tickRoundingMs) return;
      const framesEndMs = audio.findEndBefore(untilMs + tickRoundingMs) ?? 0;
      const endMs = framesEndMs - this.#partStartMs < this.#target * minPartShare ? untilMs : framesEndMs;
      if (endMs > limitMs) return;
      this.#addPart(0, endMs);
    }
  }

  /** Ends an audio-only segment. */
  endAudio(endMs: number, segmentEndMs = endMs, incomplete = false): void {
    while (endMs - this.#partStartMs > this.#target + tickRoundingMs) this.#addPart(0, this.#partStartMs + this.#target);
    if (endMs > this.#partStartMs) this.#addPart(0, endMs);
    this.#queue.end(segmentEndMs, incomplete);
  }

  /** Endless until it is known. */
  get #target(): number {
    return this.#findTarget() ?? Number.POSITIVE_INFINITY;
  }

  #cutWhole(limit: number, lastEnd: number, latestEndMs = Number.POSITIVE_INFINITY): void {
    if (this.#findTarget() === undefined) return;
    for (;;) {
      const next = this.#findNext(limit);
      if (next === undefined || next > lastEnd) return;
      const nextMs = this.timeMs(next);
      const wholeMs = this.#partStartMs + this.#target;
      const isWhole = nextMs >= wholeMs - stampRoundingMs;
      const isOnGrid = this.#queue.media.video.fps !== undefined && nextMs <= wholeMs;
      const nothingBetween = !this.#queue.audioExpected && nextMs >= wholeMs + this.#target;
      const endMs = isWhole && !isOnGrid && !nothingBetween ? wholeMs : nextMs;
      if (endMs > latestEndMs + tickRoundingMs) return;
      this.#cut(next, endMs);
      // Frames are on whole ticks: fractions of a tick must not add up.
      if (Math.abs(this.#leadMs) <= tickRoundingMs) this.#leadMs = 0;
    }
  }

  #cutRest(limit: number, endMs: number): void {
    // Moved to the grid of its rate, a last frame may be decoded after the segment's end: it goes into the part before.
    this.#cutWhole(limit, limit - 1, endMs);
    const { video } = this.#queue.media;
    // A last frame may be shown for longer than a part may be, and with open GOPs presentation ends later than decode times say.
    while (this.#queue.audioExpected && endMs - this.#partStartMs > this.#target + tickRoundingMs) {
      let end = video.assigned;
      const untilMs = this.#partStartMs + this.#target;
      while (end < limit && this.timeMs(end) < untilMs - stampRoundingMs) end += 1;
      this.#cut(end, untilMs);
    }
    const frames = limit - video.assigned;
    const longestMs = frames > 1 ? this.#target : Number.POSITIVE_INFINITY;
    const lengthMs = Math.min(Math.max(endMs - this.#partStartMs, 1), longestMs);
    // Make no part of a rest that is only rounding: no audio begins in it, so the part would never come.
    if (frames > 0 || endMs - this.#partStartMs > stampRoundingMs) this.#cut(limit, this.#partStartMs + lengthMs);
  }

  /** The first frame after the part being filled; undefined while the part may still grow. */
  #findNext(limit: number): number | undefined {
    const { video } = this.#queue.media;
    const untilMs = this.#partStartMs + this.#target - stampRoundingMs;
    for (let index = video.assigned; index <= limit && index < video.count; index += 1) {
      if (this.timeMs(index) >= untilMs) return index;
      if (index > video.assigned && video.isIndependent(index) && !this.isPartTooShort(index)) return index;
    }
    return undefined;
  }

  /** The part has the frames before the one at `next`, and ends at `endMs`. */
  #cut(next: number, endMs: number): void {
    const nextMs = this.timeMs(next);
    this.#addPart(next - this.#queue.media.video.assigned, endMs);
    this.#leadMs = Number.isNaN(nextMs) ? 0 : nextMs - endMs;
  }

  #addPart(frames: number, endMs: number): void {
    this.#queue.part({ frames, startMs: this.#partStartMs, endMs, targetMs: this.#target });
    this.#partStartMs = endMs;
  }
}
