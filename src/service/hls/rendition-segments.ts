import { leastLengthMs, renditionRoundingMs } from '../media/rounding.ts';
import { Absence, type EncoderStart, type SegmentRest } from './absence.ts';
import { assumedFps } from './assumed-fps.ts';
import type { CutterOptions } from './cutter-options.ts';
import { MediaQueue } from './media-queue.ts';
import { OpenSegment } from './open-segment.ts';
import { requireTargets } from './playlist-targets.ts';
import { RenditionPlacing } from './segment-placing.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';
import type { WaitingMedia } from './waiting-media.ts';

/** Frames that may be missing at the end of a whole segment: encoders that end, or change the frame rate, leave one out. */
const missingFrames = 2;
/** The same as a time, for audio; for video, at least this. */
export const minMissingMs = 100;

/**
 * The segments of a rendition, one after another: begins and ends them as a {@link Follower} says, each as a segment of the plan.
 * It owns the open segment, the timeline, and how much of the plan the rendition has made.
 *
 * Planned segments without media, and segments that end too early, become gaps, so that numbers stay those of the source. No
 * segment is passed on before it has its place in the plan. While no encoder makes the rendition, gaps appear as soon as the
 * source has the media ({@link Absence}).
 */
export class RenditionSegments {
  readonly #plan: SegmentPlan;
  readonly #queue: MediaQueue;
  readonly #absence: Absence;
  readonly #stopListening: () => void;
  #timeline: number;
  #newTimeline = false;
  #open: OpenSegment | undefined;
  /** Media of the open segment is missing: the rest of it is dropped. */
  #broken = false;
  /** The newest segment of the plan that was begun, or reported as missing. */
  #last: PlannedSegment | undefined;

  constructor(options: CutterOptions) {
    const { plan } = options;
    this.#plan = plan;
    this.#timeline = plan.firstTimeline;
    // The source's promise holds for its renditions, too, and is known by now: their segments begin after the source's.
    const targets = () => requireTargets(plan.targets);
    this.#queue = new MediaQueue({ ...options, placing: new RenditionPlacing(plan), targets });
    this.#absence = new Absence(plan, this.#queue);
    this.#stopListening = plan.onChange(() => {
      this.#queue.advance();
      this.#reportMissing();
    });
  }

  get open(): OpenSegment | undefined {
    return this.#open;
  }

  get isBroken(): boolean {
    return this.#broken;
  }

  /** No encoder makes the rendition now. */
  get isAway(): boolean {
    return this.#absence.isOn;
  }

  /** The media that is in no part yet. */
  get media(): WaitingMedia {
    return this.#queue.media;
  }

  /**
   * How far its keyframes may be from those of its source: half a frame if its frame rate differs. The next frame, which may be a
   * keyframe too, is never as close.
   */
  get toleranceMs(): number {
    const { fps } = this.media.video;
    return Math.max(renditionRoundingMs, fps === undefined ? 0 : 500 / fps);
  }

  /** The planned segment after the open one. */
  findNext(): PlannedSegment | undefined {
    return this.#open && this.#plan.after(this.#open.planned)[0];
  }

  /** A planned segment of this kind, on this timeline, that has not been begun. */
  findPlanned(kind: PlannedSegment['kind'], fits: (segment: PlannedSegment) => boolean): PlannedSegment | undefined {
    return this.#plan.find(this.#last, { timeline: this.#timeline, kind }, fits);
  }

  /** Begins this segment; planned segments before it that weren't begun become gaps. */
  begin(planned: PlannedSegment, audioFromMs?: number): OpenSegment {
    this.#absence.reportMissed(this.#last, planned);
    const findTarget = () => this.#plan.targets?.partMs;
    const newTimeline = this.#newTimeline;
    this.#newTimeline = false;
    this.#last = planned;
    this.#open = new OpenSegment(this.#queue, { planned, newTimeline, findTarget, audioFromMs });
    return this.#open;
  }

  /** The next segment follows without a hole: it begins with the frame at `limit`. */
  cutVideo(limit: number, next: PlannedSegment): OpenSegment {
    this.#open?.endVideo(limit, next.startMs, next.startMs);
    return this.begin(next);
  }

  /**
   * The open segment ends at `endMs` or before, and the next media doesn't continue it. `allAudio`: it takes all audio that is
   * there.
   */
  endVideo(endMs: number, { incomplete = false, allAudio = false } = {}): void {
    const open = this.#open;
    if (open === undefined) return;
    const { video } = this.media;
    const thereMs = video.finish() ?? 0;
    const frameMs = 1000 / (video.fps ?? assumedFps);
    const missing = incomplete || this.#broken || endMs - thereMs > Math.max(missingFrames * frameMs, minMissingMs);
    this.#leaveOutFrom(open, endMs);
    open.endVideo(video.count, Math.min(Math.max(thereMs, open.partStartMs + leastLengthMs), endMs), endMs, missing);
    if (allAudio && !missing) this.#queue.closeAudio();
    this.#queue.flush();
    // Otherwise parts without a place would take the frames that come next.
    if (video.assigned > 0) this.#abandonUnplaced();
    video.restart();
    this.#open = undefined;
    this.#broken = false;
  }

  /**
   * Leaves out what comes at `endMs` or later: the source ends there. If its publisher vanished between B-frames, it shows the last
   * frames earlier, but they had been encoded by then.
   */
  #leaveOutFrom(open: OpenSegment, endMs: number): void {
    const { video } = this.media;
    if (video.count === video.assigned) return;
    let count = video.count;
    while (count > video.assigned && open.timeMs(count - 1) >= endMs - renditionRoundingMs) count -= 1;
    video.endBefore(count, endMs - open.timeMs(count - 1));
  }

  /** The open segment, which has audio only, ends where planned, or where its audio does. */
  endAudio(): void {
    const open = this.#open;
    if (open === undefined) return;
    const thereMs = this.media.audio.endMs ?? open.partStartMs;
    const endMs = open.planned.endMs ?? thereMs;
    open.cutAudio(endMs);
    open.endAudio(Math.min(thereMs, endMs), endMs, endMs - thereMs > minMissingMs);
    this.#open = undefined;
  }

  /** Makes the parts whose audio has arrived, or is no longer waited for; `newestMs` is how far the video has arrived. */
  advance(newestMs?: number): void {
    this.#queue.advance(newestMs);
  }

  /** Makes every part that was decided, where the plan has a place for it. */
  flush(): void {
    this.#queue.flush();
  }

  /** Media is missing from here to the next keyframe: the open segment is not whole, though frames of it may follow. */
  breakOff(): void {
    // It ends with the source's segment, and that end may not be known yet.
    if (this.#open?.kind === 'video') this.#broken = true;
  }

  /** An encoder begins with this frame. Its media comes later, so it doesn't count as missing. */
  awaitEncoder(start: EncoderStart): void {
    this.#absence.awaitEncoder(start);
  }

  /**
   * The oldest awaited encoder has ended. `isWhole`: it put out all of its input; otherwise media is missing until the next
   * encoder's.
   */
  encoderEnded(isWhole: boolean): void {
    this.#absence.encoderEnded();
    if (isWhole) this.#reportMissing();
    else this.leave();
  }

  /** No more media comes for now, not even of encoders that have begun. */
  leaveAtOnce(): void {
    this.#absence.forgetEncoders();
    this.leave();
  }

  /** No more media comes for now: gaps are reported as the source makes the media. */
  leave(): void {
    if (!this.#absence.isOn) {
      if (this.#open?.planned.endMs !== undefined) this.#endOpen(false);
      const open = this.#open;
      this.#queue.flush();
      this.#abandonUnplaced();
      this.#open = undefined;
      this.#broken = false;
      if (open?.planned.place === undefined) {
        this.media.video.restart();
        this.#absence.begin();
      } else this.#absence.beginInside(open.planned, this.#breakOpen(open));
    }
    this.#reportMissing();
  }

  /** Media comes again. */
  return(): void {
    this.#absence.end();
  }

  /** The next units are on another timeline, with this number. */
  startTimeline(timeline: number): void {
    // While it is away, the segment that is reported may already be on this timeline.
    if (!this.isAway) this.#endOpen();
    this.media.restart();
    this.#timeline = timeline;
    this.#newTimeline = true;
  }

  /** No more media comes at all: makes a segment of the rest. */
  finish(): void {
    this.#endOpen();
    this.#absence.reportMissed(this.#last, undefined);
    this.#queue.flush();
    if (this.#plan.ended) this.#stopListening();
    else this.#flushUntilEnd();
  }

  /** Segments without a place are passed on when they get one. */
  #flushUntilEnd(): void {
    const stop = this.#plan.onChange(() => {
      this.#queue.flush();
      if (!this.#plan.ended) return;
      stop();
      this.#stopListening();
    });
  }

  /** Gives up segments without a place yet: they aren't begun, and become gaps. */
  #abandonUnplaced(): void {
    this.#queue.abandon();
    this.#last = this.#plan.lastPlaced(this.#last);
  }

  #reportMissing(): void {
    this.#last = this.#absence.report(this.#last, this.toleranceMs);
  }

  /** The open segment is left in the middle: returns its waiting frames. */
  #breakOpen(open: OpenSegment): SegmentRest {
    const { video } = this.media;
    const endMs = Math.max(video.finish() ?? 0, open.partStartMs);
    const hasFrames = video.count > 0;
    this.#queue.breakOff(hasFrames);
    const give = () => {
      if (hasFrames) open.breakVideo(endMs);
      this.#queue.flush();
      this.#queue.breakOff(false);
      video.restart();
    };
    return { endMs, give };
  }

  /** `isLast`: nothing follows, so a segment takes all audio that is there, as the source's does. */
  #endOpen(isLast = true): void {
    this.#reportMissing();
    this.#absence.end();
    const open = this.#open;
    if (open?.kind === 'video') {
      const { endMs } = open.planned;
      this.endVideo(endMs ?? Math.max(this.media.video.finish() ?? 0, open.startMs + leastLengthMs), {
        incomplete: endMs === undefined && !this.#plan.ended,
        allAudio: isLast,
      });
    } else if (open) this.endAudio();
    this.#queue.flush();
  }
}
