import type { Writable } from 'node:stream';
import { formatFlvHeader, formatFlvTag } from '../flv/flv-file.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import { type PlacedUnit, placedTimescale, type VideoUnit } from '../media/media-unit.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import { formatMetadata } from '../rtmp/script-data.ts';

export interface RunInputOptions {
  /** ffmpeg's stdin. */
  pipe: Writable;
  timeline: number;
  /** When the first keyframe is shown, on the source's timeline. */
  startMs: number;
  /** The same time on ffmpeg's timeline. */
  originMs: number;
  video: VideoConfig;
  /** Frames per second, as far as known. */
  fps: number | undefined;
  /** The configuration of audio to encode; undefined where ffmpeg gets none. */
  audio: AudioConfig | undefined;
  /** How much media may wait for ffmpeg. */
  maxQueueBytes: number;
  /** This many frames were left out before the keyframe that is shown at this time; infinity stands for the end. */
  onSkipped: (frames: number, keyframeMs: number) => void;
}

/** Feeds an ffmpeg with FLV. Frames that it does not take in time are left out, up to a keyframe. */
export class RunInput {
  readonly #options: RunInputOptions;
  #lastFedMs: number;
  #dueMs: number;
  #lastDecodeMs = 0;
  #skipped = 0;

  constructor(options: RunInputOptions) {
    this.#options = options;
    const { pipe, startMs, video, fps, audio } = options;
    this.#lastFedMs = startMs;
    this.#dueMs = startMs;
    pipe.write(formatFlvHeader({ hasAudio: audio !== undefined, hasVideo: true }));
    if (fps !== undefined) this.#announceRate(fps);
    this.#announce(video);
    if (audio !== undefined) this.#announce(audio);
  }

  /** When the newest frame is shown, fed or left out. */
  get lastFedMs(): number {
    return this.#lastFedMs;
  }

  /**
   * When the newest frame that ffmpeg can have output is shown. An encoder that does not know the frame rate holds each frame back
   * until the next one comes, however long that takes.
   */
  get dueMs(): number {
    return this.#dueMs;
  }

  /** Bytes that wait for ffmpeg to take them. */
  get queuedBytes(): number {
    return this.#options.pipe.writableLength;
  }

  /** Feeds a frame; false if it was left out because too much waits already. */
  pushVideo(unit: PlacedUnit & VideoUnit): boolean {
    const { keyframe, data, dts, pts } = unit;
    if (pts > this.#lastFedMs) {
      this.#dueMs = this.#lastFedMs;
      this.#lastFedMs = pts;
    }
    if (this.#isFull(keyframe)) {
      this.#skipped += 1;
      return false;
    }
    this.#reportSkipped(pts);
    // A demuxer takes a decreasing decode time for a jump, so clamp it; presentation times stay.
    const decodedMs = Math.max(dts, this.#lastDecodeMs);
    this.#lastDecodeMs = decodedMs;
    const { video } = this.#options;
    const frame = (keyframe && video.format.markKeyframe?.(data, video)) || data;
    this.#write({ ...unit, dts: decodedMs, data: frame });
    return true;
  }

  /** Feeds audio, or its configuration. */
  pushAudio(unit: PlacedUnit): void {
    this.#write(unit);
  }

  end(): void {
    this.#reportSkipped(Number.POSITIVE_INFINITY);
    this.#options.pipe.end();
  }

  /** Whether a frame must be left out. After one, all others are, up to a keyframe for which there is room. */
  #isFull(keyframe: boolean): boolean {
    const { maxQueueBytes } = this.#options;
    return this.#skipped > 0 ? !keyframe || this.queuedBytes > maxQueueBytes / 2 : this.queuedBytes > maxQueueBytes;
  }

  #reportSkipped(keyframeMs: number): void {
    const skipped = this.#skipped;
    this.#skipped = 0;
    if (skipped > 0) this.#options.onSkipped(skipped, keyframeMs);
  }

  /**
   * For a bitstream without a frame rate, ffmpeg assumes 1000 fps, FLV's timescale, and hardware encoders divide the bitrate by it. It
   * uses an announced rate instead if that is below 70 fps (`av_guess_frame_rate`). Timestamps don't depend on it.
   */
  #announceRate(fps: number): void {
    const body = formatMetadata(new Map([['framerate', fps]]));
    this.#options.pipe.write(formatFlvTag({ kind: 'script', timestampMs: 0, body }));
  }

  #announce(config: VideoConfig | AudioConfig): void {
    const { timeline, startMs } = this.#options;
    this.#write({ type: 'config', timeline, timescale: placedTimescale, dts: startMs, config });
  }

  #write(unit: PlacedUnit): void {
    const { pipe, originMs, startMs } = this.#options;
    if (pipe.writable) pipe.write(formatFlvTag(formatUnitTag(unit, originMs - startMs)));
  }
}
