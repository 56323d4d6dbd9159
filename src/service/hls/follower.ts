import type { AudioConfig } from '../media/track-config.ts';
import { Absence, type EncoderStart, type SegmentRest } from './absence.ts';
import type { CutterOptions } from './cutter-options.ts';
import { MediaQueue } from './media-queue.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { PartCutter } from './part-cutter.ts';
import type { PlaylistTargets } from './playlist-targets.ts';
import { renditionRoundingMs } from './rounding.ts';
import { RenditionPlacing } from './segment-placing.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';
import type { VideoInput } from './video-track.ts';

/** A divided GOP of the source has no keyframe to wait for; this long after its end none comes. */
const noKeyframeAfterMs = 120;
/** What may be missing at the end of a segment that is whole: encoders that end, or change the frame rate, leave out a frame. */
const missingFrames = 2;
const minMissingMs = 100;
/** Sound is kept this long for a picture that is to come. */
const keepAudioMs = 3_000;

/**
 * Cuts the media of a rendition where its source was cut: a segment begins with the keyframe at a planned start.
 *
 * Segments of the plan that it has no media for, and those that end too early, become gaps, so that numbers stay those of the
 * source. Nothing is handed on before the plan has said what place it has. While no encoder makes it, there are gaps as soon as
 * its source has the media ({@link Absence}).
 */
export class Follower {
  readonly #plan: SegmentPlan;
  readonly #bounds: PackagerBounds;
  readonly #queue: MediaQueue;
  readonly #parts: PartCutter;
  readonly #absence: Absence;
  readonly #stopListening: () => void;
  #timeline: number;
  #open: PlannedSegment | undefined;
  #last: PlannedSegment | undefined;
  #newTimeline = false;
  /** Media of the open segment is missing: what else comes of it is left out. */
  #broken = false;
  #lastVideoMs = 0;
  #lastVideoConfig: VideoInput['config'] | undefined;

  constructor({ bounds, maker, sink, onSegment, plan }: CutterOptions) {
    this.#plan = plan;
    this.#timeline = plan.firstTimeline;
    this.#bounds = bounds;
    // What the source promises holds for its renditions; a segment of theirs begins when its source's has.
    const targets = () => sink.targets ?? (plan.targets as PlaylistTargets);
    this.#queue = new MediaQueue({ bounds, maker, sink, onSegment, placing: new RenditionPlacing(plan), targets });
    this.#parts = new PartCutter(this.#queue, () => targets()?.partMs);
    this.#absence = new Absence(plan, this.#queue);
    this.#stopListening = plan.onChange(() => {
      this.#queue.advance();
      this.#tellMissing();
    });
  }

  setAudioConfig(config: AudioConfig): void {
    this.#queue.audio.setConfig(config);
  }

  pushVideo(frame: VideoInput): void {
    const { video } = this.#queue;
    const shownMs = frame.timeMs + frame.compositionTimeMs;
    if (this.#absence.isOn) {
      if (!frame.keyframe || this.#findStart(shownMs) === undefined) return;
      this.#absence.end();
    }
    if (this.#open?.kind === 'video' && this.#broken) {
      const { endMs } = this.#open;
      if (endMs === undefined || !this.#isBeyond(frame, shownMs, endMs)) return;
      this.#endVideo(endMs);
    } else if (this.#open?.kind === 'video') {
      const changed = frame.config !== this.#lastVideoConfig;
      if (changed && !frame.keyframe) return;
      const lostMs = frame.timeMs - this.#lastVideoMs;
      const { endMs } = this.#open;
      if (endMs !== undefined && this.#isBeyond(frame, shownMs, endMs)) {
        const next = this.#findNext();
        const goesOn = !changed && lostMs < this.#bounds.trackLostMs && next?.kind === 'video' && next.startMs === endMs;
        if (goesOn && next && shownMs < (next.endMs ?? Number.POSITIVE_INFINITY) - renditionRoundingMs) {
          this.#goOn(frame, next);
          return;
        }
        this.#endVideo(endMs);
      } else if (changed) {
        // Only the source's own changes are in its plan: a rendition that changes alone waits for the next segment.
        this.#broken = true;
        return;
      }
    }
    if (this.#open?.kind === 'audio' && frame.keyframe) this.#endAudioAt(this.#open.endMs);
    if (this.#open === undefined) {
      const planned = frame.keyframe ? this.#findStart(shownMs) : undefined;
      if (planned === undefined) return;
      video.restart();
      this.#addVideo(frame);
      this.#begin(planned, planned.startMs - renditionRoundingMs);
    } else if (this.#open.kind === 'video') {
      this.#addVideo(frame);
      const isPast =
        this.#open.endMs !== undefined && this.#parts.timeMs(video.count - 1) >= this.#open.endMs - renditionRoundingMs;
      // What is past the end belongs to the next segment, which the frame that shows whether it follows begins.
      if (!isPast) this.#parts.cutVideo(video.count - 1);
    }
    this.#queue.advance(this.#lastVideoMs);
  }

  pushAudio(timeMs: number, data: Buffer): void {
    const { audio } = this.#queue;
    audio.push(timeMs, data);
    if (this.#absence.isOn) {
      audio.dropBefore(timeMs - keepAudioMs);
      return;
    }
    if (this.#open?.kind === 'video') {
      const { endMs } = this.#open;
      const next = this.#findNext();
      if (endMs !== undefined && next?.kind === 'audio' && timeMs > endMs + this.#bounds.audioWaitMs) this.#endVideo(endMs);
    }
    if (this.#open?.kind !== 'video') this.#cutSound();
    if (this.#open === undefined) audio.dropBefore(timeMs - keepAudioMs);
    this.#queue.advance();
  }

  /** Media is missing from here to the next keyframe: the open segment is not whole, though frames of it may follow. */
  breakOff(): void {
    // It ends where the source's does, and that may not be known yet.
    if (this.#open?.kind === 'video') this.#broken = true;
  }

  /** An encoder begins with this picture. Its media comes later: what it will make is not missing. */
  awaitEncoder(start: EncoderStart): void {
    this.#absence.awaitEncoder(start);
  }

  /** The oldest encoder that was awaited has ended; `isWhole`: all it was fed has come. Else media is missing until the next one. */
  encoderEnded(isWhole: boolean): void {
    this.#absence.encoderEnded();
    if (isWhole) this.#tellMissing();
    else this.leave();
  }

  /** No more media comes for now, of encoders that have begun neither: what is missing is told of as the source makes it. */
  leaveAtOnce(): void {
    this.#absence.forgetEncoders();
    this.leave();
  }

  /** No more media comes for now: what is missing is told of as the source makes it. */
  leave(): void {
    if (!this.#absence.isOn) {
      if (this.#open?.endMs !== undefined) this.#endOpen(false);
      const open = this.#open;
      this.#queue.flush();
      // What has no place yet is not begun.
      this.#queue.abandon();
      this.#last = this.#plan.lastPlaced(this.#last);
      this.#open = undefined;
      this.#broken = false;
      if (open?.place === undefined) {
        this.#queue.restartVideo();
        this.#absence.begin();
      } else this.#absence.beginInside(open, this.#breakOff());
    }
    this.#tellMissing();
  }

  /** The open segment is left in the middle: answers what frames of it wait. */
  #breakOff(): SegmentRest {
    const { video } = this.#queue;
    const endMs = Math.max(video.finish() ?? 0, this.#parts.startMs);
    const hasFrames = video.count > 0;
    this.#queue.breakOff(hasFrames);
    const give = () => {
      if (hasFrames) this.#parts.breakVideo(endMs);
      this.#queue.flush();
      this.#queue.breakOff(false);
      this.#queue.restartVideo();
    };
    return { endMs, give };
  }

  /** What comes next is of another timeline, with this number. */
  startTimeline(timeline: number): void {
    this.#endOpen();
    this.#queue.restart();
    this.#timeline = timeline;
    this.#newTimeline = true;
  }

  /** Makes a segment of what is there. */
  finish(): void {
    this.#endOpen();
    this.#absence.tellMissed(this.#last, undefined);
    this.#queue.flush();
    if (this.#plan.ended) this.#stopListening();
    else this.#flushOnceEnded();
  }

  /** Segments whose place is not known yet are handed on when it is. */
  #flushOnceEnded(): void {
    const stop = this.#plan.onChange(() => {
      this.#queue.flush();
      if (!this.#plan.ended) return;
      stop();
      this.#stopListening();
    });
  }

  #tellMissing(): void {
    this.#last = this.#absence.tell(this.#last, this.#toleranceMs);
  }

  #addVideo(frame: VideoInput): void {
    this.#lastVideoConfig = frame.config;
    this.#lastVideoMs = frame.timeMs;
    this.#queue.video.push(frame);
  }

  /** Half a frame of a rendition with another rate is as near as its keyframes come. */
  get #toleranceMs(): number {
    const { fps } = this.#queue.video;
    return Math.max(renditionRoundingMs, fps === undefined ? 0 : 1000 / fps);
  }

  #isBeyond({ keyframe, timeMs }: VideoInput, shownMs: number, endMs: number): boolean {
    return keyframe ? shownMs >= endMs - this.#toleranceMs : timeMs >= endMs + noKeyframeAfterMs;
  }

  #findStart(shownMs: number): PlannedSegment | undefined {
    const isNear = ({ startMs }: PlannedSegment) => Math.abs(startMs - shownMs) <= this.#toleranceMs;
    return this.#plan.find(this.#last, { timeline: this.#timeline, kind: 'video' }, isNear);
  }

  #findNext(): PlannedSegment | undefined {
    return this.#open && this.#plan.after(this.#open)[0];
  }

  #begin(planned: PlannedSegment, soundFromMs?: number): void {
    this.#absence.tellMissed(this.#last, planned);
    this.#queue.begin({ startMs: planned.startMs, newTimeline: this.#newTimeline, planned, soundFromMs });
    this.#newTimeline = false;
    this.#parts.begin(planned.startMs);
    this.#open = planned;
    this.#last = planned;
  }

  /** The next segment follows without a break: it begins with this frame, or at the last one before its start. */
  #goOn(frame: VideoInput, next: PlannedSegment): void {
    const { video } = this.#queue;
    this.#addVideo(frame);
    let limit = video.count - 1;
    if (!frame.keyframe) {
      while (limit > this.#queue.assignedFrames + 1 && this.#parts.timeMs(limit - 1) >= next.startMs - renditionRoundingMs)
        limit -= 1;
    }
    this.#parts.endVideo(limit, next.startMs, next.startMs);
    this.#open = undefined;
    this.#begin(next);
    this.#parts.cutVideo(video.count - 1);
    this.#queue.advance(this.#lastVideoMs);
  }

  /** The open segment ends at `endMs`, or before that: what comes next does not follow. */
  #endVideo(endMs: number, { incomplete = false, soundToo = false } = {}): void {
    const { video } = this.#queue;
    const thereMs = video.finish() ?? 0;
    const frameMs = 1000 / (video.fps ?? 30);
    const missing = incomplete || this.#broken || endMs - thereMs > Math.max(missingFrames * frameMs, minMissingMs);
    this.#parts.endVideo(video.count, Math.min(Math.max(thereMs, this.#parts.startMs + 1), endMs), endMs, missing);
    if (soundToo && !missing) this.#queue.closeSound();
    this.#queue.flush();
    this.#queue.restartVideo();
    this.#open = undefined;
    this.#broken = false;
  }

  #endAudioAt(endMs: number | undefined): void {
    const thereMs = this.#queue.audio.endMs ?? this.#parts.startMs;
    const segmentEndMs = endMs ?? thereMs;
    this.#parts.cutAudio(segmentEndMs);
    this.#parts.endAudio(Math.min(thereMs, segmentEndMs), segmentEndMs, segmentEndMs - thereMs > minMissingMs);
    this.#open = undefined;
  }

  /** Sound alone, as far as the plan has it. */
  #cutSound(): void {
    const { audio } = this.#queue;
    for (;;) {
      const { startMs, endMs } = audio;
      if (startMs === undefined || endMs === undefined) return;
      if (this.#open === undefined) {
        const of = { timeline: this.#timeline, kind: 'audio' } as const;
        const planned = this.#plan.find(this.#last, of, (segment) => this.#holdsSound(segment));
        if (planned === undefined) return;
        this.#begin(planned, planned.startMs - renditionRoundingMs);
      }
      const end = this.#open?.endMs;
      if (end === undefined || endMs < end - renditionRoundingMs) {
        this.#parts.cutAudio();
        return;
      }
      this.#endAudioAt(end);
      this.#queue.flush();
    }
  }

  /** Whether sound has come from its start on. */
  #holdsSound({ startMs }: PlannedSegment): boolean {
    const { audio } = this.#queue;
    return startMs >= (audio.startMs ?? Number.POSITIVE_INFINITY) - minMissingMs && startMs < (audio.endMs ?? 0);
  }

  /** `isLast`: nothing follows, so a segment has all sound that is there, as the source's has. */
  #endOpen(isLast = true): void {
    this.#tellMissing();
    this.#absence.end();
    const open = this.#open;
    if (open?.kind === 'video')
      this.#endVideo(open.endMs ?? Math.max(this.#queue.video.finish() ?? 0, open.startMs + 1), {
        incomplete: open.endMs === undefined && !this.#plan.ended,
        soundToo: isLast,
      });
    if (open?.kind === 'audio') this.#endAudioAt(open.endMs);
    this.#queue.flush();
  }
}
