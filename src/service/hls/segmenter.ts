import { leastLengthMs, stampRoundingMs } from '../media/rounding.ts';
import type { AudioConfig } from '../media/track-config.ts';
import type { OpenSegment } from './open-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { HeldPictureFit } from './picture-hold.ts';
import type { VideoSpan } from './silence-fill.ts';
import { SourceSegments, type SourceSegmentsOptions } from './source-segments.ts';
import type { VideoInput } from './video-track.ts';

/**
 * Decides where each segment of a source ends and the next begins. All times in milliseconds.
 *
 * A segment with video begins at a keyframe, and ends at a keyframe that `CutRule` chooses, or between two where it would get longer
 * than the playlist promises. It starts and ends at presentation times of keyframes, which are the same in every rendition. (Their
 * decode times are not: with open GOPs they are a few frames earlier.) If there is no video, or no longer, audio only is cut.
 */
export class Segmenter implements HeldPictureFit {
  readonly #bounds: PackagerBounds;
  readonly #segments: SourceSegments;
  #videoExpected = false;
  /** Audio from before the first segment of a timeline is dropped, however late it comes. */
  #audioFloorMs = 0;
  #lastVideoMs = 0;
  #lastAudioMs: number | undefined;
  /** How much audio has arrived since the last video frame. */
  #audioSinceVideoMs = 0;

  constructor(options: SourceSegmentsOptions) {
    this.#bounds = options.bounds;
    this.#segments = new SourceSegments(options);
  }

  /** The number of the timeline, as in `PlacedUnit`. */
  get timeline(): number {
    return this.#segments.timeline;
  }

  get fps(): number | undefined {
    return this.#segments.media.video.fps;
  }

  endsAt(shownMs: number): boolean {
    const open = this.#openVideo;
    return open === undefined || shownMs - open.startMs >= this.#segments.rule.aimMs - stampRoundingMs;
  }

  get openVideoSpan(): VideoSpan | undefined {
    const open = this.#openVideo;
    return open && { startMs: open.startMs, endMs: this.#segments.findVideoEnd(open) };
  }

  playsAudio(timeMs: number): boolean {
    if (timeMs < this.#audioFloorMs) return false;
    const aheadMs = timeMs - this.#lastVideoMs;
    return this.#openVideo === undefined || (aheadMs <= this.#bounds.maxAudioLeadMs && -aheadMs <= this.#bounds.maxAudioLagMs);
  }

  dropAudioApart(videoMs: number): boolean {
    const { open, media } = this.#segments;
    const { startMs = videoMs, endMs = videoMs } = media.audio;
    if (open || Math.max(startMs - videoMs, videoMs - endMs) <= this.#bounds.audioLateMs) return false;
    media.audio.restart();
    return true;
  }

  /** There will be video: audio that comes first waits longer for it. */
  expectVideo(): void {
    this.#videoExpected = true;
  }

  setAudioConfig(config: AudioConfig): void {
    this.#segments.media.audio.setConfig(config);
  }

  pushVideo(frame: VideoInput): void {
    this.#segments.noteArrival(frame.timeMs);
    if (this.#openVideo && frame.timeMs - this.#lastVideoMs > this.#bounds.trackLostMs) this.#loseVideo(this.#openVideo);
    const open = this.#openVideo;
    if (open === undefined) {
      if (frame.keyframe) this.#beginVideo(frame);
    } else if (frame.config === this.#segments.media.video.last?.config) this.#continueVideo(frame);
    // Frames between new parameters and the next keyframe cannot be decoded.
    else if (frame.keyframe) this.#changeVideo(open, frame);
  }

  /** `standsIn`: the frame is silence that keeps up with the video, so it can't show that the video is away. */
  pushAudio(timeMs: number, data: Buffer, { standsIn = false } = {}): void {
    const goneMs = timeMs - (this.#lastAudioMs ?? timeMs);
    // If there is only audio, its pause is a pause of the whole stream.
    if (this.#openVideo === undefined && goneMs > this.#bounds.trackLostMs) this.#restart(goneMs);
    this.#segments.noteArrival(timeMs);
    this.#lastAudioMs = timeMs;
    if (!standsIn) this.#audioSinceVideoMs += Math.min(Math.max(goneMs, 0), this.#bounds.trackLostMs / 2);
    if (!this.playsAudio(timeMs)) return;
    this.#segments.media.audio.push(timeMs, data);
    if (this.#openVideo) {
      this.#segments.advance();
      if (this.#audioSinceVideoMs > this.#bounds.trackLostMs) this.#loseVideo(this.#openVideo);
    } else this.#continueAudioOnly();
  }

  /** The next units are on a new timeline; `pausedMs` is how much longer the wall clock ran. */
  startTimeline(pausedMs: number): void {
    this.#restart(pausedMs);
    this.#segments.startTimeline();
  }

  /** Makes a last segment of the media that waits. */
  finish(): void {
    const video = this.#openVideo;
    if (video) {
      this.#segments.endVideo(this.#segments.findVideoEnd(video), { allAudio: true });
      return;
    }
    if (this.#segments.open === undefined && this.#videoExpected) return;
    if (this.#segments.open === undefined) this.#beginAudio(0);
    const { open } = this.#segments;
    if (open) this.#segments.endAudio(Math.max(this.#segments.media.audio.endMs ?? 0, open.partStartMs));
  }

  /** The open segment, if it has video. */
  get #openVideo(): OpenSegment | undefined {
    const { open } = this.#segments;
    return open?.kind === 'video' ? open : undefined;
  }

  #addVideo(frame: VideoInput): void {
    this.#audioSinceVideoMs = 0;
    this.#lastVideoMs = this.#segments.addVideo(frame);
  }

  #beginVideo(frame: VideoInput): void {
    this.#addVideo(frame);
    const startMs = this.#segments.media.video.lastShownMs;
    if (this.#segments.open === undefined) this.#audioFloorMs = startMs;
    this.#segments.beginVideo(startMs);
  }

  #continueVideo(frame: VideoInput): void {
    this.#addVideo(frame);
    const newest = this.#segments.media.video.count - 1;
    const dividedMs = this.#divide(newest, frame.keyframe);
    const open = this.#segments.open;
    if (open === undefined) return;
    const shownMs = this.#positionMs(open, newest, frame.keyframe);
    const { isFull } = this.#segments;
    const isDue = frame.keyframe && this.#isDue(open, newest, shownMs);
    if (isDue || this.#isTooLong(open, shownMs, dividedMs) || isFull) {
      // Composition times that make no sense must not end a segment before its parts.
      this.#segments.cutVideo(newest, Math.max(shownMs, open.partStartMs + leastLengthMs));
      if (isFull) this.#segments.flush();
    } else open.cutVideo(newest);
    this.#segments.advance(this.#lastVideoMs);
  }

  /** Whether the keyframe at `newest` ends the segment. */
  #isDue(open: OpenSegment, newest: number, shownMs: number): boolean {
    const { madeAudioConfig, media, rule } = this.#segments;
    const audioChanges = madeAudioConfig !== undefined && media.audio.config !== madeAudioConfig;
    return audioChanges || rule.isDue(shownMs - open.startMs, open.isPartTooShort(newest));
  }

  #isTooLong({ startMs }: OpenSegment, shownMs: number, dividedMs: number): boolean {
    return this.#lastVideoMs - startMs >= this.#bounds.maxSegmentMs || shownMs - startMs >= dividedMs - stampRoundingMs;
  }

  /**
   * Divides the segment if the frame at `newest` is too late for it and no keyframe ended it. Returns the length of a divided
   * segment.
   */
  #divide(newest: number, keyframe: boolean): number {
    const { dividedMs, longestMs } = this.#segments.rule;
    for (let { open } = this.#segments; open; open = this.#segments.open) {
      const positionMs = this.#positionMs(open, newest, keyframe);
      if (positionMs - open.startMs <= longestMs) break;
      const endMs = open.startMs + dividedMs;
      this.#segments.cutVideo(newest, endMs, positionMs - endMs);
    }
    return dividedMs;
  }

  /**
   * The end of a segment that ended before the newest frame, at index `newest`: before a keyframe, when the keyframe is shown.
   */
  #positionMs(open: OpenSegment, newest: number, keyframe: boolean): number {
    return keyframe ? this.#segments.media.video.lastShownMs : open.timeMs(newest);
  }

  #changeVideo(open: OpenSegment, frame: VideoInput): void {
    const endMs = Math.max(
      frame.timeMs + frame.compositionTimeMs,
      this.#lastVideoMs + leastLengthMs,
      open.startMs + leastLengthMs,
    );
    this.#audioSinceVideoMs = 0;
    this.#lastVideoMs = this.#segments.changeVideo(endMs, frame);
    this.#audioFloorMs = this.#lastVideoMs;
  }

  /** The video has stopped while the audio continues: segments have audio only until the next keyframe. */
  #loseVideo(open: OpenSegment): void {
    this.#segments.loseVideo(this.#segments.findVideoEnd(open));
    this.#cutAudioOnly();
  }

  /** Begins a segment of audio only, once that has waited long enough for video. */
  #beginAudio(waitMs = this.#videoExpected ? this.#bounds.trackLostMs : this.#bounds.audioOnlyAfterMs): void {
    const { startMs, endMs, firstFrameMs } = this.#segments.media.audio;
    if (startMs === undefined || endMs === undefined || firstFrameMs === undefined || endMs - startMs < waitMs) return;
    this.#segments.beginAudio(startMs, firstFrameMs);
  }

  #continueAudioOnly(): void {
    if (this.#segments.open === undefined) this.#beginAudio();
    const { audio } = this.#segments.media;
    if (this.#segments.open === undefined || audio.endMs === undefined) return;
    const madeConfig = this.#segments.madeAudioConfig ?? audio.lastConfig;
    if (audio.firstConfig !== audio.lastConfig || madeConfig !== audio.lastConfig) this.#segments.cutAudio(audio.endMs);
    this.#cutAudioOnly();
  }

  /** Makes segments of the audio that has arrived. */
  #cutAudioOnly(): void {
    for (let { open } = this.#segments; open; open = this.#segments.open) {
      const endMs = this.#segments.media.audio.findEndFrom(open.startMs + this.#segments.rule.aimMs);
      if (endMs === undefined) break;
      this.#segments.cutAudio(endMs);
    }
    this.#segments.open?.cutAudio();
    this.#segments.flush();
  }

  /** The media jumps: the open segment ends, and the next media doesn't continue it. */
  #restart(pausedMs: number): void {
    this.finish();
    this.#audioFloorMs = 0;
    this.#lastAudioMs = undefined;
    this.#audioSinceVideoMs = 0;
    this.#segments.restart(pausedMs);
  }
}
