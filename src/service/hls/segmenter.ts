import type { AacConfig } from '../media/aac.ts';
import { MediaQueue } from './media-queue.ts';
import type { PackagedSegment, SegmentSink } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { PartCutter } from './part-cutter.ts';
import type { HeldPictureFit } from './picture-hold.ts';
import type { SegmentMaker } from './segment-maker.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';
import type { PictureSpan } from './sound-fill.ts';
import type { VideoInput } from './video-track.ts';

/** Held pictures stand on whole milliseconds. */
const roundingMs = 2;

/** Decides where segments begin and end. */
export interface MediaCutter {
  /** There will be video: sound that comes first waits for it longer. */
  expectVideo(): void;
  setAudioConfig(config: AacConfig): void;
  pushVideo(frame: VideoInput): void;
  pushAudio(timeMs: number, data: Buffer): void;
  /** What comes next is of another time line, with this number; `pausedMs` is how much longer the wall clock ran. */
  startTimeline(timeline: number, pausedMs: number): void;
  /** Makes a segment of what is there. */
  finish(): void;
}

/**
 * A segment that is being filled. Times in milliseconds; it starts and ends at the presentation times of keyframes, which are
 * the same in every rendition. (Their decode times are not, and with open GOPs are a few frames earlier.)
 */
interface OpenSegment {
  kind: 'video' | 'audio';
  startMs: number;
  planned: PlannedSegment;
}

export interface SegmenterOptions {
  targetMs: number;
  partMs: number;
  bounds: PackagerBounds;
  maker: SegmentMaker;
  sink: SegmentSink;
  onSegment: (segment: PackagedSegment) => void;
  plan: SegmentPlan;
}

/**
 * Decides where one segment of a source ends and the next begins, and publishes that as its plan.
 *
 * A segment with video begins at a keyframe and ends at the first one a target duration later, or at the bounds of a GOP. Where
 * video is not, or no longer, there, sound alone is cut at the target duration.
 */
export class Segmenter implements MediaCutter, HeldPictureFit {
  readonly #targetMs: number;
  readonly #bounds: PackagerBounds;
  readonly #maker: SegmentMaker;
  readonly #plan: SegmentPlan;
  readonly #queue: MediaQueue;
  readonly #parts: PartCutter;
  #open: OpenSegment | undefined;
  #timeline = 0;
  #videoExpected = false;
  #newTimeline = false;
  /** Where the wall clock stands while no segment is open. */
  #idleSinceMs: number | undefined;
  /** Sound from before the first segment of a time line is left out, however late it comes. */
  #audioFloorMs = 0;
  #lastVideoMs = 0;
  #lastAudioMs: number | undefined;
  /** How much sound has come since the last video frame. */
  #audioSinceVideoMs = 0;

  constructor({ targetMs, partMs, bounds, maker, sink, onSegment, plan }: SegmenterOptions) {
    this.#targetMs = targetMs;
    this.#bounds = bounds;
    this.#maker = maker;
    this.#plan = plan;
    this.#queue = new MediaQueue({ bounds, maker, sink, onSegment, plan, follow: false });
    this.#parts = new PartCutter(this.#queue, partMs);
  }

  get fps(): number | undefined {
    return this.#queue.video.fps;
  }

  endsAt(shownMs: number): boolean {
    return this.#open?.kind !== 'video' || shownMs - this.#open.startMs >= this.#targetMs - roundingMs;
  }

  get openPicture(): PictureSpan | undefined {
    const open = this.#open;
    return open?.kind === 'video' ? { startMs: open.startMs, endMs: this.#finishVideo(open) } : undefined;
  }

  expectVideo(): void {
    this.#videoExpected = true;
  }

  setAudioConfig(config: AacConfig): void {
    this.#queue.audio.setConfig(config);
  }

  pushVideo(frame: VideoInput): void {
    this.#idleSinceMs ??= this.#open === undefined ? frame.timeMs : undefined;
    if (this.#open?.kind === 'video' && frame.timeMs - this.#lastVideoMs > this.#bounds.trackLostMs) this.#loseVideo();
    if (this.#open?.kind === 'video' && frame.config !== this.#queue.video.last?.config) {
      // What comes between new parameters and a keyframe cannot be decoded.
      if (frame.keyframe) this.#changeVideoConfig(frame);
      return;
    }
    if (this.#open?.kind !== 'video') {
      if (frame.keyframe) this.#openVideo(frame);
      return;
    }
    this.#addVideo(frame);
    const { startMs } = this.#open;
    const { audio, video, configs } = this.#queue;
    const newest = video.count - 1;
    const shownMs = frame.keyframe ? video.lastShownMs : this.#parts.timeMs(newest);
    const soundChanges = configs?.audio !== undefined && audio.config !== configs.audio;
    const due = this.#isDue(shownMs) || soundChanges;
    const tooLong = this.#lastVideoMs - startMs >= this.#bounds.maxSegmentMs;
    const full = this.#isFull();
    if ((frame.keyframe && due) || tooLong || full) {
      // Composition times that make no sense do not make segments of no length.
      this.#cutVideo(newest, Math.max(shownMs, startMs + 1));
      if (full) this.#queue.flush();
    } else {
      this.#parts.cutVideo(newest);
    }
    this.#queue.advance(this.#lastVideoMs);
  }

  pushAudio(timeMs: number, data: Buffer): void {
    const goneMs = timeMs - (this.#lastAudioMs ?? timeMs);
    // Sound alone that pauses is a broadcast that pauses.
    if (this.#open?.kind !== 'video' && goneMs > this.#bounds.trackLostMs) this.startTimeline(this.#timeline, goneMs);
    this.#idleSinceMs ??= this.#open === undefined ? timeMs : undefined;
    this.#lastAudioMs = timeMs;
    this.#audioSinceVideoMs += Math.min(Math.max(goneMs, 0), this.#bounds.trackLostMs / 2);
    if (timeMs < this.#audioFloorMs) return;
    if (this.#open?.kind === 'video' && timeMs - this.#lastVideoMs > this.#bounds.maxAudioLeadMs) return;
    const { audio } = this.#queue;
    audio.push(timeMs, data);
    if (this.#open?.kind === 'video') {
      this.#queue.advance();
      if (this.#audioSinceVideoMs > this.#bounds.trackLostMs) this.#loseVideo();
      return;
    }
    if (this.#open === undefined) this.#openAudio();
    if (this.#open === undefined || audio.endMs === undefined) return;
    const changes =
      audio.firstConfig !== audio.lastConfig || (this.#queue.configs?.audio ?? audio.lastConfig) !== audio.lastConfig;
    if (changes || audio.endMs - this.#open.startMs >= this.#targetMs) this.#cutAudio(audio.endMs);
    else this.#parts.cutAudio();
    this.#queue.flush();
  }

  startTimeline(timeline: number, pausedMs: number): void {
    this.finish();
    this.#timeline = timeline;
    this.#queue.restart();
    this.#newTimeline = true;
    this.#idleSinceMs = undefined;
    this.#audioFloorMs = 0;
    this.#lastAudioMs = undefined;
    this.#audioSinceVideoMs = 0;
    this.#maker.skip(pausedMs);
  }

  finish(): void {
    if (this.#open?.kind === 'video') {
      this.#endVideo(this.#finishVideo(this.#open), { soundToo: true });
    } else if (this.#open?.kind === 'audio' || !this.#videoExpected) {
      if (this.#open === undefined) this.#openAudio(0);
      const { endMs } = this.#queue.audio;
      if (this.#open !== undefined) this.#endAudio(Math.max(endMs ?? 0, this.#parts.startMs));
    }
    this.#open = undefined;
  }

  #isDue(shownMs: number): boolean {
    return shownMs - (this.#open?.startMs ?? shownMs) >= this.#targetMs - this.#bounds.cutToleranceMs;
  }

  #addVideo(frame: VideoInput): void {
    this.#audioSinceVideoMs = 0;
    this.#lastVideoMs = this.#queue.video.push(frame);
  }

  /** Where the picture of the open segment ends, when no more of it comes. */
  #finishVideo({ startMs }: OpenSegment): number {
    return Math.max(this.#queue.video.finish() ?? 0, startMs + 1);
  }

  /** Opens a segment whose first frame, if any, is the newest. */
  #begin(kind: OpenSegment['kind'], startMs: number): void {
    const planned = this.#plan.begin(this.#timeline, kind, startMs);
    this.#queue.begin(startMs, this.#newTimeline, planned);
    this.#newTimeline = false;
    this.#parts.begin(startMs);
    this.#open = { kind, startMs, planned };
  }

  #openVideo(frame: VideoInput): void {
    this.#addVideo(frame);
    const startMs = this.#queue.video.lastShownMs;
    if (this.#open?.kind === 'audio') {
      this.#endAudio(Math.max(startMs, this.#parts.startMs));
    } else {
      this.#queue.audio.dropBefore(startMs);
      this.#audioFloorMs = startMs;
      this.#endIdle(startMs);
    }
    this.#begin('video', startMs);
  }

  #changeVideoConfig(frame: VideoInput): void {
    if (this.#open === undefined) return;
    const endMs = Math.max(frame.timeMs + frame.compositionTimeMs, this.#lastVideoMs + 1, this.#open.startMs + 1);
    this.#endVideo(endMs);
    this.#queue.restartVideo();
    this.#addVideo(frame);
    const startMs = this.#lastVideoMs;
    this.#audioFloorMs = startMs;
    this.#begin('video', startMs);
  }

  /** Sound alone becomes a segment once it has waited long enough for video. */
  #openAudio(waitMs = this.#videoExpected ? this.#bounds.trackLostMs : this.#bounds.audioOnlyAfterMs): void {
    const { startMs, endMs } = this.#queue.audio;
    if (startMs === undefined || endMs === undefined || endMs - startMs < waitMs) return;
    this.#endIdle(startMs);
    this.#begin('audio', startMs);
  }

  #endIdle(startMs: number): void {
    this.#maker.skip(Math.max(startMs - (this.#idleSinceMs ?? startMs), 0));
    this.#idleSinceMs = undefined;
  }

  /** The segment ends before the frame at `limit`, with which the next one begins. */
  #cutVideo(limit: number, endMs: number): void {
    if (this.#open === undefined) return;
    this.#parts.endVideo(limit, endMs);
    this.#plan.cut(this.#open.planned, endMs);
    this.#begin('video', endMs);
  }

  #cutAudio(endMs: number): void {
    if (this.#open === undefined || endMs <= this.#open.startMs) return;
    this.#endAudio(endMs);
    this.#begin('audio', endMs);
  }

  /** Video has stopped while the sound goes on: from here on there is sound alone, until a keyframe. */
  #loseVideo(): void {
    if (this.#open === undefined) return;
    const endMs = this.#finishVideo(this.#open);
    this.#endVideo(endMs);
    this.#queue.restartVideo();
    this.#begin('audio', endMs);
    this.#parts.cutAudio();
    this.#queue.flush();
  }

  #endVideo(endMs: number, { soundToo = false } = {}): void {
    if (this.#open === undefined) return;
    this.#parts.endVideo(this.#queue.video.count, endMs);
    if (soundToo) this.#queue.closeSound();
    this.#plan.cut(this.#open.planned, endMs);
    this.#queue.flush();
  }

  #endAudio(endMs: number): void {
    if (this.#open === undefined) return;
    this.#parts.cutAudio(endMs);
    this.#parts.endAudio(endMs);
    this.#plan.cut(this.#open.planned, endMs);
    this.#queue.flush();
  }

  #isFull(): boolean {
    const { maxSegmentBytes, maxSegmentSamples } = this.#bounds;
    const { open } = this.#maker;
    const { audio, video } = this.#queue;
    return (
      video.count + open.samples > 1 &&
      (video.sizeBytes + audio.sizeBytes + open.sizeBytes > maxSegmentBytes ||
        video.count + audio.count + open.samples > maxSegmentSamples)
    );
  }
}
