import type { AacConfig } from '../media/aac.ts';
import type { H264Config } from '../media/h264.ts';
import { AudioTrack } from './audio-track.ts';
import type { PackagedSegment } from './packaged-segment.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { SegmentMaker } from './segment-maker.ts';
import { VideoTrack } from './video-track.ts';

/** One H.264 access unit as it comes; `timeMs` is its dts on the media clock. */
export interface VideoInput {
  timeMs: number;
  compositionTimeMs: number;
  keyframe: boolean;
  data: Buffer;
  config: H264Config;
}

/**
 * A segment that is being filled. Times in milliseconds; it starts and ends at the presentation times of keyframes, which are
 * the same in every rendition. (Their decode times are not, and with open GOPs are a few frames earlier.)
 */
interface OpenSegment {
  kind: 'video' | 'audio';
  startMs: number;
  /** Where it ends, once that is known and only late audio is waited for. */
  cut: { endMs: number; frameCount: number } | undefined;
  /** Sound has come since it was opened. */
  heard: boolean;
}

interface SegmenterOptions {
  targetMs: number;
  bounds: PackagerBounds;
  maker: SegmentMaker;
  onSegment: (segment: PackagedSegment) => void;
}

/**
 * Decides where one segment ends and the next begins, and which samples are in it.
 *
 * A segment with video begins at a keyframe and ends at the first one a target duration later, or at the bounds of a GOP. Where
 * video is not, or no longer, there, sound alone is cut at the target duration.
 */
export class Segmenter {
  readonly #targetMs: number;
  readonly #bounds: PackagerBounds;
  readonly #maker: SegmentMaker;
  readonly #onSegment: (segment: PackagedSegment) => void;
  readonly #audio = new AudioTrack();
  readonly #video = new VideoTrack();
  #open: OpenSegment | undefined;
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

  constructor({ targetMs, bounds, maker, onSegment }: SegmenterOptions) {
    this.#targetMs = targetMs;
    this.#bounds = bounds;
    this.#maker = maker;
    this.#onSegment = onSegment;
  }

  /** There will be video: sound that comes first waits for it longer. */
  expectVideo(): void {
    this.#videoExpected = true;
  }

  setAudioConfig(config: AacConfig): void {
    this.#audio.setConfig(config);
  }

  pushVideo(frame: VideoInput): void {
    this.#idleSinceMs ??= this.#open === undefined ? frame.timeMs : undefined;
    if (this.#open?.kind === 'video' && frame.timeMs - this.#lastVideoMs > this.#bounds.trackLostMs) this.#loseVideo();
    if (this.#open?.kind === 'video' && frame.config !== this.#video.last?.config) {
      // What comes between new parameters and a keyframe cannot be decoded.
      if (frame.keyframe) this.#changeVideoConfig(frame);
      return;
    }
    if (this.#open?.kind !== 'video') {
      if (frame.keyframe) this.#openVideo(frame);
      return;
    }
    const startMs = this.#addVideo(frame);
    if (this.#open.cut) this.#cutWhenHeard();
    const { cut, startMs: openedMs } = this.#open;
    const due = startMs - openedMs >= this.#targetMs - this.#bounds.cutToleranceMs || this.#audio.changesConfig;
    const tooLong = this.#lastVideoMs - openedMs >= this.#bounds.maxSegmentMs;
    // Composition times that make no sense do not make segments of no length.
    const nextCut = { endMs: Math.max(startMs, openedMs + 1), frameCount: this.#video.count - 1 };
    if (cut === undefined && ((frame.keyframe && due) || tooLong)) {
      this.#open.cut = nextCut;
      this.#cutWhenHeard();
    }
    if (this.#isFull()) {
      this.#open.cut ??= nextCut;
      this.#cutVideo();
    }
  }

  pushAudio(timeMs: number, data: Buffer): void {
    const goneMs = timeMs - (this.#lastAudioMs ?? timeMs);
    // Sound alone that pauses is a broadcast that pauses.
    if (this.#open?.kind !== 'video' && goneMs > this.#bounds.trackLostMs) this.startTimeline(goneMs);
    this.#idleSinceMs ??= this.#open === undefined ? timeMs : undefined;
    this.#lastAudioMs = timeMs;
    this.#audioSinceVideoMs += Math.min(Math.max(goneMs, 0), this.#bounds.trackLostMs / 2);
    if (timeMs < this.#audioFloorMs) return;
    if (this.#open?.kind === 'video' && timeMs - this.#lastVideoMs > this.#bounds.maxAudioLeadMs) return;
    this.#audio.push(timeMs, data);
    if (this.#open?.kind === 'video') {
      this.#open.heard = true;
      if (this.#open.cut) this.#cutWhenHeard();
      if (this.#audioSinceVideoMs > this.#bounds.trackLostMs) this.#loseVideo();
      return;
    }
    this.#open ??= this.#openAudio();
    const { startMs: firstMs, endMs = 0 } = this.#audio;
    if (this.#open === undefined || firstMs === undefined) return;
    if (endMs - this.#open.startMs >= this.#targetMs || this.#audio.changesConfig) this.#cutAudio(endMs);
  }

  /** What comes next is of another time line; `pausedMs` is how much longer the wall clock ran. */
  startTimeline(pausedMs: number): void {
    this.finish();
    this.#open = undefined;
    this.#audio.restart();
    this.#video.restart();
    this.#newTimeline = true;
    this.#idleSinceMs = undefined;
    this.#audioFloorMs = 0;
    this.#lastAudioMs = undefined;
    this.#audioSinceVideoMs = 0;
    this.#maker.skip(pausedMs);
  }

  /** Makes a segment of what is there. */
  finish(): void {
    if (this.#open?.cut) this.#cutVideo();
    if (this.#open?.kind === 'video') {
      this.#make(this.#open.startMs, this.#finishVideo(this.#open), this.#video.count, Number.POSITIVE_INFINITY);
    } else if (this.#open?.kind === 'audio' || !this.#videoExpected) {
      this.#open ??= this.#openAudio(0);
      const { endMs } = this.#audio;
      if (this.#open !== undefined && endMs !== undefined) this.#cutAudio(endMs);
    }
  }

  /** Adds a frame and returns when a segment that begins with it starts. */
  #addVideo({ timeMs, compositionTimeMs, keyframe, data, config }: VideoInput): number {
    this.#audioSinceVideoMs = 0;
    this.#lastVideoMs = this.#video.push(timeMs, compositionTimeMs, keyframe, data, config);
    return keyframe ? timeMs + compositionTimeMs : this.#lastVideoMs;
  }

  /** Where the picture of the open segment ends, when no more of it comes. */
  #finishVideo({ startMs }: OpenSegment): number {
    return Math.max(this.#video.finish() ?? 0, startMs + 1);
  }

  #openVideo(frame: VideoInput): void {
    const startMs = this.#addVideo(frame);
    if (this.#open?.kind === 'audio') {
      this.#cutAudio(startMs);
    } else {
      this.#audio.dropBefore(startMs);
      this.#audioFloorMs = startMs;
      this.#endIdle(startMs);
    }
    this.#open = { kind: 'video', startMs, cut: undefined, heard: this.#audio.count > 0 };
  }

  #changeVideoConfig(frame: VideoInput): void {
    if (this.#open?.cut) this.#cutVideo();
    const openedMs = this.#open?.startMs ?? 0;
    const endMs = Math.max(frame.timeMs + frame.compositionTimeMs, this.#lastVideoMs + 1, openedMs + 1);
    this.#make(openedMs, endMs, this.#video.count, endMs);
    this.#video.restart();
    const startMs = this.#addVideo(frame);
    this.#audioFloorMs = startMs;
    this.#open = { kind: 'video', startMs, cut: undefined, heard: this.#audio.count > 0 };
  }

  /** Sound alone becomes a segment once it has waited long enough for video. */
  #openAudio(waitMs = this.#videoExpected ? this.#bounds.trackLostMs : this.#bounds.audioOnlyAfterMs): OpenSegment | undefined {
    const { startMs, endMs } = this.#audio;
    if (startMs === undefined || endMs === undefined || endMs - startMs < waitMs) return undefined;
    this.#endIdle(startMs);
    return { kind: 'audio', startMs, cut: undefined, heard: true };
  }

  #endIdle(startMs: number): void {
    this.#maker.skip(Math.max(startMs - (this.#idleSinceMs ?? startMs), 0));
    this.#idleSinceMs = undefined;
  }

  /** Ends the open segment at its cut once audio has come that far, or will not come. */
  #cutWhenHeard(): void {
    const { cut, heard } = this.#open ?? {};
    if (cut === undefined) return;
    const audioThere = !heard || (this.#audio.endMs ?? 0) >= cut.endMs;
    if (audioThere || this.#lastVideoMs - cut.endMs >= this.#bounds.audioWaitMs) this.#cutVideo();
  }

  #cutVideo(): void {
    const { cut, startMs } = this.#open ?? {};
    if (cut === undefined || startMs === undefined) return;
    this.#make(startMs, cut.endMs, cut.frameCount, cut.endMs);
    this.#open = { kind: 'video', startMs: cut.endMs, cut: undefined, heard: this.#audio.count > 0 };
  }

  #cutAudio(endMs: number): void {
    if (this.#open === undefined || endMs <= this.#open.startMs) return;
    this.#make(this.#open.startMs, endMs, 0, endMs);
    this.#open = { kind: 'audio', startMs: endMs, cut: undefined, heard: true };
  }

  /** Video has stopped while the sound goes on: from here on there is sound alone, until a keyframe. */
  #loseVideo(): void {
    if (this.#open?.cut) this.#cutVideo();
    if (this.#open === undefined) return;
    const endMs = this.#finishVideo(this.#open);
    this.#make(this.#open.startMs, endMs, this.#video.count, endMs);
    this.#video.restart();
    this.#open = { kind: 'audio', startMs: endMs, cut: undefined, heard: true };
  }

  #isFull(): boolean {
    const { maxSegmentBytes, maxSegmentSamples } = this.#bounds;
    return (
      this.#video.count > 1 &&
      (this.#video.sizeBytes + this.#audio.sizeBytes > maxSegmentBytes ||
        this.#video.count + this.#audio.count > maxSegmentSamples)
    );
  }

  /** Makes a segment of the first video frames and the audio before a time. */
  #make(startMs: number, endMs: number, frameCount: number, audioEndMs: number): void {
    const video = this.#video.take(frameCount);
    const audioStartMs = this.#audio.startMs;
    const run = this.#audio.takeBefore(audioEndMs);
    const late = video !== undefined && (audioStartMs ?? 0) - startMs > this.#bounds.audioLateMs;
    const audio = late && !this.#maker.hadAudio ? undefined : run;
    if (video === undefined && audio === undefined) {
      this.#maker.skip(endMs - startMs);
      return;
    }
    const newTimeline = this.#newTimeline;
    this.#newTimeline = false;
    this.#onSegment(this.#maker.make({ video, audio, startMs, endMs, newTimeline }));
  }
}
