import type { MediaQueue } from './media-queue.ts';

/** Times are whole ticks: what is nearer than this is the same. */
const toleranceMs = 0.02;
/** FLV's times are rounded: a frame that is this near to where a part ends is the next one's first. */
const roundingMs = 2;

/**
 * Divides the segment that is being filled into parts.
 *
 * A part is as long as a whole number of frames that is as near to the wanted length as that can be where the rate is fixed, and
 * has those frames. Where frames come at varying distances it has what begins within its time, sound alone if need be: so it is
 * never shorter than players are told either. It ends before every picture that nothing before is needed for too, so that
 * players can start there.
 */
export class PartCutter {
  readonly #queue: MediaQueue;
  readonly #partMs: number;
  #startMs = 0;
  /** How much later than the part its first frame begins; a little earlier where times are rounded. */
  #leadMs = 0;

  constructor(queue: MediaQueue, partMs: number) {
    this.#queue = queue;
    this.#partMs = partMs;
  }

  /** The part that is being filled starts here. */
  get startMs(): number {
    return this.#startMs;
  }

  /** A segment begins at this time, with a frame if it has any. */
  begin(startMs: number): void {
    this.#startMs = startMs;
    this.#leadMs = 0;
  }

  /** When the frame at this place is reached, on the presentation time line that the segment began on. */
  timeMs(index: number): number {
    const { video, assignedFrames } = this.#queue;
    return this.#startMs + this.#leadMs + video.decodeMs(index) - video.decodeMs(assignedFrames);
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

  /** Ends the segment: the frames before the one at `limit` are in its last parts. */
  endVideo(limit: number, endMs: number, segmentEndMs = endMs, incomplete = false): void {
    this.#cutWhole(limit, limit - 1);
    // A last frame is shown for longer than a part may be, or with open GOPs the presentation ends later than decode times say.
    while (this.#queue.soundExpected && endMs - this.#startMs > this.videoTargetMs + toleranceMs) {
      let end = this.#queue.assignedFrames;
      const untilMs = this.#startMs + this.videoTargetMs;
      while (end < limit && this.timeMs(end) < untilMs - roundingMs) end += 1;
      this.#cut(end, untilMs);
    }
    const frames = limit - this.#queue.assignedFrames;
    const longestMs = frames > 1 ? this.videoTargetMs : Number.POSITIVE_INFINITY;
    const lengthMs = Math.min(Math.max(endMs - this.#startMs, 1), longestMs);
    // Nothing begins in what rounding leaves over: it would be a part that never comes.
    if (frames > 0 || endMs - this.#startMs > roundingMs) this.#cut(limit, this.#startMs + lengthMs);
    this.#queue.end(segmentEndMs, incomplete);
  }

  #cutWhole(limit: number, lastEnd: number): void {
    for (;;) {
      const next = this.#findNext(limit);
      if (next === undefined || next > lastEnd) return;
      const nextMs = this.timeMs(next);
      const wholeMs = this.#startMs + this.videoTargetMs;
      const isWhole = nextMs >= wholeMs - roundingMs;
      const nothingBetween = !this.#queue.soundExpected && nextMs >= wholeMs + this.videoTargetMs;
      this.#cut(next, isWhole && !nothingBetween ? wholeMs : nextMs);
      // Frames stand on whole ticks: fractions of one do not add up.
      if (Math.abs(this.#leadMs) <= toleranceMs) this.#leadMs = 0;
    }
  }

  /** The first frame that the part being filled does not have; undefined as long as it may have more. */
  #findNext(limit: number): number | undefined {
    const { video, assignedFrames } = this.#queue;
    const untilMs = this.#startMs + this.videoTargetMs - roundingMs;
    for (let index = assignedFrames; index <= limit && index < video.count; index += 1) {
      if (this.timeMs(index) >= untilMs || (index > assignedFrames && video.isIndependent(index))) return index;
    }
    return undefined;
  }

  /** The part has the frames before the one at `next`, and ends at `endMs`. */
  #cut(next: number, endMs: number): void {
    const nextMs = this.timeMs(next);
    this.#queue.part(next - this.#queue.assignedFrames, this.#startMs, endMs, this.videoTargetMs);
    this.#leadMs = Number.isNaN(nextMs) ? 0 : nextMs - endMs;
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
