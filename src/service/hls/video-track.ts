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
  /** What presentation times are late by, for the edit list. */
  reorderTicks: number;
  baseDecodeTime: number;
  samples: FragmentSample[];
}

const ticksPerMs = videoTimescale / 1000;
/** The length of a last frame when nothing tells: that of 30 fps. */
const defaultFrameTicks = videoTimescale / 30;

/**
 * The video that waits to be put into segments.
 *
 * Decode times are moved on by the composition time of the time line's first keyframe, and an edit list takes it off the
 * presentation times again: so the decode time a segment starts with is the presentation time it starts at, as that of audio is.
 * (Negative composition offsets would do the same without an edit list, but ffmpeg's reader moves such video against its audio.)
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

  /** Where the picture that has come ends, taking the last frame to be as long as the one before. */
  get endMs(): number | undefined {
    const last = this.#frames.at(-1);
    return last && (last.dts + this.#lastFrameTicks) / ticksPerMs;
  }

  /** Adds a frame and returns when it is decoded, in milliseconds of the moved time line. */
  push(timeMs: number, compositionTimeMs: number, keyframe: boolean, data: Buffer, config: H264Config): number {
    // A media time before 0 cannot be edited away: a first offset below it stays.
    this.#shiftMs ??= Math.max(compositionTimeMs, 0);
    const pts = (timeMs + this.#shiftMs + compositionTimeMs) * ticksPerMs;
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
    return { config: first.config, reorderTicks: (this.#shiftMs ?? 0) * ticksPerMs, baseDecodeTime: first.dts, samples };
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
