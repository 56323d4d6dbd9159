import { renditionRoundingMs } from '../media/rounding.ts';
import type { OpenSegment } from './open-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { minMissingMs, type RenditionSegments } from './rendition-segments.ts';
import type { PlannedSegment } from './segment-plan.ts';
import type { VideoInput } from './video-track.ts';

/** If the source divided a GOP, no keyframe marks the end of a segment: this long after that end, none will come. */
const noKeyframeAfterMs = 120;
/** An encoder delays its video by less. */
const encoderDelayMs = 3_000;

/** Cuts the media of a rendition where its source was cut: a segment begins with the keyframe at a planned start. */
export class Follower {
  readonly #bounds: PackagerBounds;
  readonly #segments: RenditionSegments;
  /** How long audio waits for later video, in milliseconds: video that holds a picture arrives last. */
  readonly #keepAudioMs: number;
  #lastVideoMs = 0;
  #lastVideoConfig: VideoInput['config'] | undefined;

  /** @param segments those of the rendition, which the packager ends where its media does */
  constructor(segments: RenditionSegments, bounds: PackagerBounds) {
    this.#segments = segments;
    this.#bounds = bounds;
    this.#keepAudioMs = bounds.holdPictureAfterMs[1] + encoderDelayMs;
  }

  pushVideo(frame: VideoInput): void {
    const shownMs = frame.timeMs + frame.compositionTimeMs;
    if (this.#segments.isAway) {
      if (!frame.keyframe || this.#findStart(shownMs) === undefined) return;
      this.#segments.return();
    }
    if (this.#endOpenIfPast(frame, shownMs)) return;
    const { open } = this.#segments;
    if (open?.kind === 'audio' && frame.keyframe) this.#segments.endAudio();
    if (this.#segments.open === undefined) {
      if (!this.#begin(frame, shownMs)) return;
    } else if (open?.kind === 'video') this.#continue(open, frame);
    this.#segments.advance(this.#lastVideoMs);
  }

  pushAudio(timeMs: number, data: Buffer): void {
    const { audio } = this.#segments.media;
    audio.push(timeMs, data);
    if (this.#segments.isAway) {
      audio.dropBefore(timeMs - this.#keepAudioMs);
      return;
    }
    const { open } = this.#segments;
    if (open?.kind === 'video') {
      const { endMs } = open.planned;
      const isOver = endMs !== undefined && timeMs > endMs + this.#bounds.audioWaitMs;
      if (isOver && this.#segments.findNext()?.kind === 'audio') this.#segments.endVideo(endMs);
    }
    if (this.#segments.open?.kind !== 'video') this.#cutAudioOnly();
    if (this.#segments.open === undefined) audio.dropBefore(timeMs - this.#keepAudioMs);
    this.#segments.advance();
  }

  #addVideo(frame: VideoInput): void {
    this.#lastVideoConfig = frame.config;
    this.#lastVideoMs = frame.timeMs;
    this.#segments.media.video.push(frame);
  }

  /** Ends the open segment if this frame is past it. Returns true if that used up the frame: it began the next segment, or is dropped. */
  #endOpenIfPast(frame: VideoInput, shownMs: number): boolean {
    const { open, isBroken } = this.#segments;
    if (open?.kind !== 'video') return false;
    const { endMs } = open.planned;
    const isBeyond = endMs !== undefined && this.#isBeyond(frame, shownMs, endMs);
    const changes = frame.config !== this.#lastVideoConfig;
    if (isBroken) {
      if (!isBeyond) return true;
    } else {
      if (changes && !frame.keyframe) return true;
      if (!isBeyond) {
        // The plan has the source's changes only: a rendition that changes alone waits for the next segment.
        if (changes) this.#segments.breakOff();
        return changes;
      }
      const next = changes ? undefined : this.#findContinuation(frame, shownMs, endMs);
      if (next) {
        this.#continueInto(next, frame);
        return true;
      }
    }
    this.#segments.endVideo(endMs);
    return false;
  }

  /** The next segment, if this frame is in it and nothing is missing before it. */
  #findContinuation({ timeMs }: VideoInput, shownMs: number, endMs: number): PlannedSegment | undefined {
    const next = this.#segments.findNext();
    const isLost = timeMs - this.#lastVideoMs >= this.#bounds.trackLostMs;
    if (isLost || next?.kind !== 'video' || next.startMs !== endMs) return undefined;
    return shownMs < (next.endMs ?? Number.POSITIVE_INFINITY) - renditionRoundingMs ? next : undefined;
  }

  /** The next segment begins with this frame, or at the last one before its start. */
  #continueInto(next: PlannedSegment, frame: VideoInput): void {
    const { video } = this.#segments.media;
    const { open } = this.#segments;
    this.#addVideo(frame);
    const newest = video.count - 1;
    let limit = newest;
    const isNext = (index: number) => (open?.timeMs(index) ?? 0) >= next.startMs - renditionRoundingMs;
    if (!frame.keyframe) while (limit > video.assigned + 1 && isNext(limit - 1)) limit -= 1;
    this.#segments.cutVideo(limit, next).cutVideo(newest);
    this.#segments.advance(this.#lastVideoMs);
  }

  /** Begins a segment with this frame, if it is the keyframe that starts one; returns whether it is. */
  #begin(frame: VideoInput, shownMs: number): boolean {
    const planned = frame.keyframe ? this.#findStart(shownMs) : undefined;
    if (planned === undefined) return false;
    this.#segments.media.video.restart();
    this.#addVideo(frame);
    this.#segments.begin(planned, planned.startMs - renditionRoundingMs);
    return true;
  }

  #continue(open: OpenSegment, frame: VideoInput): void {
    this.#addVideo(frame);
    const newest = this.#segments.media.video.count - 1;
    const { endMs } = open.planned;
    const isPast = endMs !== undefined && open.timeMs(newest) >= endMs - renditionRoundingMs;
    // A frame past the end belongs to the next segment: the frame that shows whether that follows begins it.
    if (!isPast) open.cutVideo(newest);
  }

  #isBeyond({ keyframe, timeMs }: VideoInput, shownMs: number, endMs: number): boolean {
    return keyframe ? shownMs >= endMs - this.#segments.toleranceMs : timeMs >= endMs + noKeyframeAfterMs;
  }

  /** The planned segment that begins with a keyframe shown at this time. */
  #findStart(shownMs: number): PlannedSegment | undefined {
    const { toleranceMs } = this.#segments;
    return this.#segments.findPlanned('video', ({ startMs }) => Math.abs(startMs - shownMs) <= toleranceMs);
  }

  /** Makes audio-only segments, as far as the plan has them. */
  #cutAudioOnly(): void {
    const { audio } = this.#segments.media;
    for (;;) {
      const { startMs, endMs } = audio;
      if (startMs === undefined || endMs === undefined) return;
      const open = this.#segments.open ?? this.#beginAudio();
      if (open === undefined) return;
      const end = open.planned.endMs;
      if (end === undefined || endMs < end - renditionRoundingMs) {
        open.cutAudio();
        return;
      }
      this.#segments.endAudio();
      this.#segments.flush();
    }
  }

  #beginAudio(): OpenSegment | undefined {
    const planned = this.#segments.findPlanned('audio', (segment) => this.#hasAudioOf(segment));
    return planned && this.#segments.begin(planned, planned.startMs - renditionRoundingMs);
  }

  /** Whether audio has arrived from the start of this segment on. */
  #hasAudioOf({ startMs }: PlannedSegment): boolean {
    const { audio } = this.#segments.media;
    return startMs >= (audio.startMs ?? Number.POSITIVE_INFINITY) - minMissingMs && startMs < (audio.endMs ?? 0);
  }
}
