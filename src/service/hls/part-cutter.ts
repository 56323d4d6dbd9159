import type { MediaQueue } from './media-queue.ts';
import { minPartShare } from './playlist-targets.ts';
import { stampRoundingMs, tickRoundingMs } from './rounding.ts';

/**
 * Divides the segment that is being filled into parts, all as long as the part target of the playlist.
 *
 * Where the part target is a whole number of frames a part has those, else what begins within its time, sound alone if need be: so
 * it is never shorter than players are told either. It ends before a picture that nothing before is needed for too, unless it would
 * be too short, so that players can start there. Until the part target is known nothing is cut.
 */
export class PartCutter {
  readonly #queue: MediaQueue;
  readonly #findTarget: () => number | undefined;
  #startMs = 0;
  /** How much later than the part its first frame begins; a little earlier where times are rounded. */
  #leadMs = 0;

  /** `findTarget` answers the part target, in milliseconds: undefined until it is known, and then always the same. */
  constructor(queue: MediaQueue, findTarget: () => number | undefined) {
    this.#queue = queue;
    this.#findTarget = findTarget;
  }

  /** The part that is being filled starts here. */
  get startMs(): number {
    return this.#startMs;
  }

  /** A segment begins at this time; its first frame, if it has any, `leadMs` later. */
  begin(startMs: number, leadMs = 0): void {
    this.#startMs = startMs;
    this.#leadMs = leadMs;
  }

  /** When the frame at this place is reached, on the presentation time line that the segment began on. */
  timeMs(index: number): number {
    const { video, assignedFrames } = this.#queue;
    return this.#startMs + this.#leadMs + video.decodeMs(index) - video.decodeMs(assignedFrames);
  }

  /** Whether a part that ended before the frame at this place would be too short for one that others follow. */
  isTooShort(index: number): boolean {
    const lengthMs = this.timeMs(index) - this.#startMs;
    // Without a frame, what rounding leaves over is no part.
    const isPart = index > this.#queue.assignedFrames || lengthMs > stampRoundingMs;
    return isPart && lengthMs < (this.#findTarget() ?? 0) * minPartShare;
  }

  /** Decides the parts of the video before the frame at `limit`, as far as they are whole. */
  cutVideo(limit: number): void {
    if (this.#queue.video.rateSettled) this.#cutWhole(limit, limit);
  }

  /**
   * Ends the segment: the frames before the one at `limit` are in its last parts. Answers where it ends: at `segmentEndMs`, or where
   * that is not planned, at `endMs`, and never before its parts do.
   */
  endVideo(limit: number, endMs: number, segmentEndMs?: number, incomplete = false): number {
    this.#cutRest(limit, endMs);
    const endsAtMs = segmentEndMs ?? Math.max(endMs, this.#startMs);
    this.#queue.end(endsAtMs, incomplete);
    return endsAtMs;
  }

  /** Decides the parts of all frames that wait, up to `endMs`: the rest of the segment is missing. */
  breakVideo(endMs: number): void {
    this.#cutRest(this.#queue.video.count, endMs);
  }

  #cutRest(limit: number, endMs: number): void {
    this.#cutWhole(limit, limit - 1);
    // A last frame is shown for longer than a part may be, or with open GOPs the presentation ends later than decode times say.
    while (this.#queue.soundExpected && endMs - this.#startMs > this.#target + tickRoundingMs) {
      let end = this.#queue.assignedFrames;
      const untilMs = this.#startMs + this.#target;
      while (end < limit && this.timeMs(end) < untilMs - stampRoundingMs) end += 1;
      this.#cut(end, untilMs);
    }
    const frames = limit - this.#queue.assignedFrames;
    const longestMs = frames > 1 ? this.#target : Number.POSITIVE_INFINITY;
    const lengthMs = Math.min(Math.max(endMs - this.#startMs, 1), longestMs);
    // Nothing begins in what rounding leaves over: it would be a part that never comes.
    if (frames > 0 || endMs - this.#startMs > stampRoundingMs) this.#cut(limit, this.#startMs + lengthMs);
  }

  get #target(): number {
    return this.#findTarget() ?? Number.POSITIVE_INFINITY;
  }

  #cutWhole(limit: number, lastEnd: number): void {
    if (this.#findTarget() === undefined) return;
    for (;;) {
      const next = this.#findNext(limit);
      if (next === undefined || next > lastEnd) return;
      const nextMs = this.timeMs(next);
      const wholeMs = this.#startMs + this.#target;
      const isWhole = nextMs >= wholeMs - stampRoundingMs;
      const isOnGrid = this.#queue.video.fps !== undefined && nextMs <= wholeMs;
      const nothingBetween = !this.#queue.soundExpected && nextMs >= wholeMs + this.#target;
      this.#cut(next, isWhole && !isOnGrid && !nothingBetween ? wholeMs : nextMs);
      // Frames stand on whole ticks: fractions of one do not add up.
      if (Math.abs(this.#leadMs) <= tickRoundingMs) this.#leadMs = 0;
    }
  }

  /** The first frame that the part being filled does not have; undefined as long as it may have more. */
  #findNext(limit: number): number | undefined {
    const { video, assignedFrames } = this.#queue;
    const untilMs = this.#startMs + this.#target - stampRoundingMs;
    for (let index = assignedFrames; index <= limit && index < video.count; index += 1) {
      if (this.timeMs(index) >= untilMs) return index;
      if (index > assignedFrames && video.isIndependent(index) && !this.isTooShort(index)) return index;
    }
    return undefined;
  }

  /** The part has the frames before the one at `next`, and ends at `endMs`. */
  #cut(next: number, endMs: number): void {
    const nextMs = this.timeMs(next);
    this.#queue.part(next - this.#queue.assignedFrames, this.#startMs, endMs, this.#target);
    this.#leadMs = Number.isNaN(nextMs) ? 0 : nextMs - endMs;
    this.#startMs = endMs;
  }

  /** Decides the parts of sound alone, as far as it has come, up to a time. */
  cutAudio(limitMs = Number.POSITIVE_INFINITY): void {
    const { audio } = this.#queue;
    if (this.#findTarget() === undefined) return;
    for (;;) {
      const untilMs = this.#startMs + this.#target;
      if ((audio.endMs ?? 0) < untilMs - tickRoundingMs) return;
      const framesEndMs = audio.findEndBefore(untilMs + tickRoundingMs) ?? 0;
      const endMs = framesEndMs - this.#startMs < this.#target * minPartShare ? untilMs : framesEndMs;
      if (endMs > limitMs) return;
      this.#queue.part(0, this.#startMs, endMs, this.#target);
      this.#startMs = endMs;
    }
  }

  /** Ends a segment of sound alone. */
  endAudio(endMs: number, segmentEndMs = endMs, incomplete = false): void {
    while (endMs - this.#startMs > this.#target + tickRoundingMs) {
      const untilMs = this.#startMs + this.#target;
      this.#queue.part(0, this.#startMs, untilMs, this.#target);
      this.#startMs = untilMs;
    }
    if (endMs > this.#startMs) this.#queue.part(0, this.#startMs, endMs, this.#target);
    this.#queue.end(segmentEndMs, incomplete);
  }
}
