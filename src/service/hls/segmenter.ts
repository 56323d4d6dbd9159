import type { AudioConfig } from '../media/track-config.ts';
import { CutRule } from './cut-rule.ts';
import type { CutterOptions } from './cutter-options.ts';
import { MediaQueue } from './media-queue.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { PartCutter } from './part-cutter.ts';
import type { HeldPictureFit } from './picture-hold.ts';
import type { PlaylistTargets } from './playlist-targets.ts';
import { stampRoundingMs } from './rounding.ts';
import type { SegmentMaker } from './segment-maker.ts';
import type { SegmentPlaces } from './segment-places.ts';
import { SourcePlacing } from './segment-placing.ts';
import type { PlannedSegment, SegmentPlan } from './segment-plan.ts';
import type { PictureSpan } from './sound-fill.ts';
import type { VideoInput } from './video-track.ts';

/**
 * A segment that is being filled. Times in milliseconds; it starts and ends at the presentation times of keyframes, which are
 * the same in every rendition. (Their decode times are not, and with open GOPs are a few frames earlier.)
 */
interface OpenSegment {
  kind: 'video' | 'audio';
  startMs: number;
  planned: PlannedSegment;
}

export interface SegmenterOptions extends CutterOptions {
  /** How long segments are to be at least, and parts about. */
  targetMs: number;
  partMs: number;
  /** Where they stand. */
  places: SegmentPlaces;
}

/**
 * Decides where one segment of a source ends and the next begins, and publishes that as its plan.
 *
 * A segment with video begins at a keyframe and ends at one that {@link CutRule} chooses, or between two where it would get longer
 * than the playlist promises. Where video is not, or no longer, there, sound alone is cut.
 */
export class Segmenter implements HeldPictureFit {
  readonly #rule: CutRule;
  readonly #bounds: PackagerBounds;
  readonly #maker: SegmentMaker;
  readonly #plan: SegmentPlan;
  readonly #queue: MediaQueue;
  readonly #parts: PartCutter;
  #open: OpenSegment | undefined;
  #timeline: number;
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

  constructor({ targetMs, partMs, bounds, maker, sink, onSegment, plan, places }: SegmenterOptions) {
    this.#rule = new CutRule({ aimMs: targetMs, toleranceMs: bounds.cutToleranceMs, partMs }, sink.targets);
    this.#bounds = bounds;
    this.#maker = maker;
    this.#plan = plan;
    this.#timeline = plan.firstTimeline;
    // A segment begins when its first part is made, and none is before they are settled.
    const targets = () => this.#rule.targets as PlaylistTargets;
    this.#queue = new MediaQueue({ bounds, maker, sink, onSegment, placing: new SourcePlacing(plan, places), targets });
    this.#parts = new PartCutter(this.#queue, () => this.#rule.targets?.partMs);
    if (this.#rule.targets) plan.promise(this.#rule.targets);
  }

  get fps(): number | undefined {
    return this.#queue.video.fps;
  }

  endsAt(shownMs: number): boolean {
    return this.#open?.kind !== 'video' || shownMs - this.#open.startMs >= this.#rule.aimMs - stampRoundingMs;
  }

  get openPicture(): PictureSpan | undefined {
    const open = this.#open;
    return open?.kind === 'video' ? { startMs: open.startMs, endMs: this.#finishVideo(open) } : undefined;
  }

  /** There will be video: sound that comes first waits for it longer. */
  expectVideo(): void {
    this.#videoExpected = true;
  }

  setAudioConfig(config: AudioConfig): void {
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
    const { audio, video, configs } = this.#queue;
    const newest = video.count - 1;
    const dividedMs = this.#divide(newest, frame.keyframe);
    const { startMs } = this.#open;
    const shownMs = this.#positionMs(newest, frame.keyframe);
    const soundChanges = configs?.audio !== undefined && audio.config !== configs.audio;
    const due = this.#rule.isDue(shownMs - startMs, this.#parts.isTooShort(newest)) || soundChanges;
    const tooLong =
      this.#lastVideoMs - startMs >= this.#bounds.maxSegmentMs || shownMs - startMs >= dividedMs - stampRoundingMs;
    const full = this.#queue.isFull;
    if ((frame.keyframe && due) || tooLong || full) {
      // Composition times that make no sense do not make segments that end before their parts.
      this.#cutVideo(newest, Math.max(shownMs, this.#parts.startMs + 1));
      if (full) this.#queue.flush();
    } else {
      this.#parts.cutVideo(newest);
    }
    this.#queue.advance(this.#lastVideoMs);
  }

  /** Ends segments for which the frame at `newest` comes too late, where there is none to cut at; returns when the open one is to end. */
  #divide(newest: number, keyframe: boolean): number {
    const { dividedMs, longestMs } = this.#rule;
    for (let open = this.#open; open; open = this.#open) {
      const positionMs = this.#positionMs(newest, keyframe);
      if (positionMs - open.startMs <= longestMs) break;
      const endMs = open.startMs + dividedMs;
      this.#cutVideo(newest, endMs, positionMs - endMs);
    }
    return dividedMs;
  }

  /** Where a segment would end before the newest frame, the one at `newest`: before a keyframe that is when it is shown. */
  #positionMs(newest: number, keyframe: boolean): number {
    return keyframe ? this.#queue.video.lastShownMs : this.#parts.timeMs(newest);
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
    if (changes) this.#cutAudio(audio.endMs);
    this.#cutSound();
  }

  /** Makes segments of the sound alone that has come. */
  #cutSound(): void {
    for (let open = this.#open; open; open = this.#open) {
      const endMs = this.#queue.audio.findEndFrom(open.startMs + this.#rule.aimMs);
      if (endMs === undefined) break;
      this.#cutAudio(endMs);
    }
    this.#parts.cutAudio();
    this.#queue.flush();
  }

  /** What comes next is of another timeline, with this number; `pausedMs` is how much longer the wall clock ran. */
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

  /** Makes a segment of what is there. */
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

  /** A segment with video that ends there is the first one of all, or follows others. */
  #settleVideo(endMs: number): void {
    const { startMs } = this.#open ?? { startMs: endMs };
    const { fps, last } = this.#queue.video;
    const fpsPromised = last?.config.nominalFps !== undefined;
    if (!this.#rule.targets) this.#plan.promise(this.#rule.settle(endMs - startMs, { fps, fpsPromised }));
  }

  #addVideo(frame: VideoInput): void {
    if (frame.keyframe && frame.held) this.#rule.forgetKeyframe();
    else if (frame.keyframe) this.#rule.addKeyframe(frame.timeMs);
    this.#audioSinceVideoMs = 0;
    this.#lastVideoMs = this.#queue.video.push(frame);
  }

  /** Where the picture of the open segment ends, when no more of it comes: its last frame may seem to last for too long. */
  #finishVideo({ startMs }: OpenSegment): number {
    return Math.min(Math.max(this.#queue.video.finish() ?? 0, startMs + 1), startMs + this.#rule.longestMs);
  }

  /** Opens a segment whose first frame, if any, is the newest. */
  #begin(kind: OpenSegment['kind'], startMs: number, leadMs = 0): void {
    const planned = this.#plan.begin(this.#timeline, kind, startMs);
    this.#queue.begin({ startMs, newTimeline: this.#newTimeline, planned, goesOn: leadMs > 0 });
    this.#newTimeline = false;
    this.#parts.begin(startMs, leadMs);
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
    const shownUntilMs = Math.min(endMs, this.#open.startMs + this.#rule.longestMs);
    this.#endVideo(shownUntilMs);
    this.#maker.skip(endMs - shownUntilMs);
    this.#queue.restartVideo();
    this.#addVideo(frame);
    const startMs = this.#lastVideoMs;
    this.#audioFloorMs = startMs;
    this.#begin('video', startMs);
  }

  /** Sound alone becomes a segment once it has waited long enough for video. */
  #openAudio(waitMs = this.#videoExpected ? this.#bounds.trackLostMs : this.#bounds.audioOnlyAfterMs): void {
    const { startMs, endMs, firstFrameMs } = this.#queue.audio;
    if (startMs === undefined || endMs === undefined || firstFrameMs === undefined || endMs - startMs < waitMs) return;
    this.#plan.promise(this.#rule.settleSound(firstFrameMs));
    this.#endIdle(startMs);
    this.#begin('audio', startMs);
  }

  #endIdle(startMs: number): void {
    this.#maker.skip(Math.max(startMs - (this.#idleSinceMs ?? startMs), 0));
    this.#idleSinceMs = undefined;
  }

  /** The segment ends before the frame at `limit`, which the next one has first, `leadMs` after its start. */
  #cutVideo(limit: number, endMs: number, leadMs = 0): void {
    if (this.#open === undefined) return;
    this.#settleVideo(endMs);
    this.#parts.endVideo(limit, endMs, endMs);
    this.#plan.cut(this.#open.planned, endMs);
    this.#begin('video', endMs, leadMs);
  }

  #cutAudio(endMs: number): void {
    if (this.#open === undefined || endMs <= this.#open.startMs) return;
    this.#endAudio(endMs);
    this.#begin('audio', endMs);
  }

  /** Video has stopped while the sound goes on: from here on there is sound alone, until a keyframe. */
  #loseVideo(): void {
    if (this.#open === undefined) return;
    const endMs = this.#endVideo(this.#finishVideo(this.#open));
    this.#queue.restartVideo();
    this.#begin('audio', endMs);
    this.#cutSound();
  }

  /** Answers where the segment ends: at `endMs`, or where its parts do. */
  #endVideo(endMs: number, { soundToo = false } = {}): number {
    if (this.#open === undefined) return endMs;
    this.#settleVideo(endMs);
    this.#rule.forgetKeyframe();
    const endsAtMs = this.#parts.endVideo(this.#queue.video.count, endMs);
    if (soundToo) this.#queue.closeSound();
    this.#plan.cut(this.#open.planned, endsAtMs);
    this.#queue.flush();
    return endsAtMs;
  }

  #endAudio(endMs: number): void {
    if (this.#open === undefined) return;
    // Where sound stops as well, a picture may come back long after.
    const untilMs = Math.min(endMs, this.#open.startMs + this.#rule.longestMs);
    this.#parts.cutAudio(untilMs);
    this.#parts.endAudio(untilMs);
    this.#plan.cut(this.#open.planned, untilMs);
    this.#queue.flush();
    this.#maker.skip(endMs - untilMs);
  }
}
