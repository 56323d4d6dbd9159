import { videoTimescale } from '../media/fmp4-init.ts';
import type { FragmentSample } from '../media/fmp4-segment.ts';
import type { H264Config } from '../media/h264.ts';

/** An access unit on the time line, moved on by the reorder time; times in ticks of {@link videoTimescale}. */
export interface VideoFrame {
  data: Buffer;
  dts: number;
  compositionOffset: number;
  keyframe: boolean;
  config: H264Config;
}

/** Video taken out for one segment: times in ticks of {@link videoTimescale}. */
export interface VideoRun {
  config: H264Config;
  baseDecodeTime: number;
  samples: FragmentSample[];
}

const ticksPerMs = videoTimescale / 1000;
/** The length of a last frame when nothing tells: that of 30 fps. */
const defaultFrameTicks = videoTimescale / 30;
/** Decoders reorder at most 16 frames (ISO/IEC 14496-10 annex A, MaxDpbFrames). */
const maxReorderedFrames = 16;

/**
 * The video that waits to be put into segments.
 *
 * Decode times are moved on by the composition time of the time line's first keyframe, and composition offsets, some of which
 * become negative, back by it: presentation times stay, and the decode time a segment starts with is the presentation time it
 * starts at, as that of audio is, without an edit list (the brand `cmf2`, ISO/IEC 23000-19 §7.7.2). hls.js places what follows a
 * discontinuity by the first decode time and reads no edit list: either other way it would leave a hole of the reorder time.
 */
export class VideoTrack {
  #frames: VideoFrame[] = [];
  #shiftMs: number | undefined;
  #lastDts: number | undefined;
  #lastFrameTicks = defaultFrameTicks;
  #sizeBytes = 0;

  get count(): number {
    return this.#frames.length;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get last(): VideoFrame | undefined {
    return this.#frames.at(-1);
  }

  /**
   * Ends the time line: returns where its picture ends, in milliseconds, or undefined without any.
   *
   * A publisher that vanishes between B-frames leaves out pictures that were to be shown before the last ones. Those are shown
   * earlier then: a hole at the end of a time line makes players stumble.
   */
  finish(): number | undefined {
    const last = this.#frames.at(-1);
    if (last === undefined) return undefined;
    // Nothing that comes after this frame could be shown before its decode time: up to there the picture is whole.
    let end = last.dts - (this.#shiftMs ?? 0) * ticksPerMs + this.#lastFrameTicks;
    const late = this.#frames.slice(-maxReorderedFrames).filter((frame) => frame.dts + frame.compositionOffset >= end);
    for (const frame of late.sort((one, other) => one.dts + one.compositionOffset - other.dts - other.compositionOffset)) {
      const gap = frame.dts + frame.compositionOffset - end;
      if (gap > this.#lastFrameTicks / 2) frame.compositionOffset -= gap;
      end = frame.dts + frame.compositionOffset + this.#lastFrameTicks;
    }
    return end / ticksPerMs;
  }

  /** Adds a frame and returns when it is decoded, in milliseconds of the moved time line. */
  push(timeMs: number, compositionTimeMs: number, keyframe: boolean, data: Buffer, config: H264Config): number {
    // A time line cannot begin before 0: then the first offset stays negative.
    this.#shiftMs ??= Math.max(compositionTimeMs, -timeMs);
    const pts = (timeMs + compositionTimeMs) * ticksPerMs;
    // Decode times must rise: where a publisher repeats one, the frame comes a tick later and is shown when it should be.
    const dts = Math.max((timeMs + this.#shiftMs) * ticksPerMs, (this.#lastDts ?? -1) + 1);
    if (this.#lastDts !== undefined) this.#lastFrameTicks = dts - this.#lastDts;
    this.#lastDts = dts;
    this.#frames.push({ data, dts, compositionOffset: pts - dts, keyframe, config });
    this.#sizeBytes += data.length;
    return dts / ticksPerMs;
  }

  /** Takes out the first `count` frames, all of one configuration. */
  take(count: number): VideoRun | undefined {
    const frames = this.#frames.splice(0, count);
    const first = frames[0];
    if (first === undefined) return undefined;
    const samples = frames.map(({ data, dts, compositionOffset, keyframe }, index) => {
      this.#sizeBytes -= data.length;
      const next = frames[index + 1] ?? this.#frames[0];
      return { data, duration: next ? next.dts - dts : this.#lastFrameTicks, compositionOffset, sync: keyframe };
    });
    return { config: first.config, baseDecodeTime: first.dts, samples };
  }

  /** Begins a new time line at the next frame; whatever waits is left out. */
  restart(): void {
    this.#frames = [];
    this.#sizeBytes = 0;
    this.#shiftMs = undefined;
    this.#lastDts = undefined;
    this.#lastFrameTicks = defaultFrameTicks;
  }
}
