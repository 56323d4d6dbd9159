import { videoTimescale } from '../media/fmp4-init.ts';
import type { FragmentSample } from '../media/fmp4-segment.ts';
import type { VideoConfig } from '../media/track-config.ts';
import { FrameRate } from './frame-rate.ts';
import { compositionRoundingMs } from './rounding.ts';

/** One access unit as it comes; `timeMs` is its dts on the media clock. */
export interface VideoInput {
  timeMs: number;
  compositionTimeMs: number;
  keyframe: boolean;
  /** An IDR picture, as keyframes of open GOPs are not: what follows it needs nothing from before. */
  independent: boolean;
  data: Buffer;
  config: VideoConfig;
  /** When it came from the publisher, epoch milliseconds. */
  arrivedAtMs?: number | undefined;
  /** It stands in for a picture that is away: its time says nothing of the frame rate. */
  held?: boolean;
}

/** An access unit on the time line, moved on by the reorder time; times in ticks of {@link videoTimescale}. */
export interface VideoFrame {
  data: Buffer;
  dts: number;
  compositionOffset: number;
  keyframe: boolean;
  independent: boolean;
  config: VideoConfig;
  arrivedAtMs: number | undefined;
}

/** Video taken out for one part: times in ticks of {@link videoTimescale}. */
export interface VideoRun {
  config: VideoConfig;
  baseDecodeTime: number;
  samples: FragmentSample[];
  /** The first frame is an IDR picture. */
  independent: boolean;
  /** When the first of them came from the publisher, epoch milliseconds. */
  arrivedAtMs: number | undefined;
}

/** A frame as its publisher stamped it, in milliseconds. */
interface StampedFrame {
  timeMs: number;
  compositionTimeMs: number;
}

const ticksPerMs = videoTimescale / 1000;
/** The length of a last frame when nothing tells: that of 30 fps. */
const defaultFrameTicks = videoTimescale / 30;
/** Decoders reorder at most 16 frames (ISO/IEC 14496-10 annex A, MaxDpbFrames). */
const maxReorderedFrames = 16;
/** Clocks drift: a fixed rate is followed as long as timestamps agree with it by this, and by half a frame. */
const maxDriftMs = 20;

/**
 * The video that waits to be put into segments.
 *
 * Decode times are moved on by the composition time of the time line's first keyframe, and composition offsets, some of which
 * become negative, back by it: presentation times stay, and the decode time a segment starts with is the presentation time it
 * starts at, as that of audio is, without an edit list (the brand `cmf2`, ISO/IEC 23000-19 §7.7.2). hls.js places what follows a
 * discontinuity by the first decode time and reads no edit list: either other way it would leave a hole of the reorder time.
 *
 * Where the frame rate is fixed, frames stand on its exact grid and not on FLV's rounded milliseconds.
 */
export class VideoTrack {
  #frames: VideoFrame[] = [];
  #assigned = 0;
  #stamps: StampedFrame[] = [];
  #shiftTicks: number | undefined;
  #lastDts: number | undefined;
  /** Where the newest frame stands on the grid: a fraction of a tick counts. */
  #gridTicks: number | undefined;
  #lastFrameTicks = defaultFrameTicks;
  #sizeBytes = 0;
  #rate = new FrameRate();
  #held = false;
  #taken = false;
  /** Presentation times of the frames taken last, which cannot be moved any more. */
  #takenPts: number[] = [];

  get count(): number {
    return this.#frames.length;
  }

  /** How many of the first frames belong to parts that have been decided. */
  get assigned(): number {
    return this.#assigned;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get last(): VideoFrame | undefined {
    return this.#frames.at(-1);
  }

  /** Frames per second, where that is fixed. */
  get fps(): number | undefined {
    return this.#rate.fps;
  }

  /** Whether the rate is fixed is known, as far as the newest frame depends on it. */
  get rateSettled(): boolean {
    return this.#held || this.#rate.settled;
  }

  /** When the frame at this place of those that wait is decoded, in milliseconds of the moved time line. */
  decodeMs(index: number): number {
    return (this.#frames[index]?.dts ?? Number.NaN) / ticksPerMs;
  }

  /** When the newest frame is shown, in milliseconds. */
  get lastShownMs(): number {
    const last = this.#frames.at(-1);
    return last ? (last.dts + last.compositionOffset) / ticksPerMs : Number.NaN;
  }

  /** Whether the frame at this place is an IDR picture. */
  isIndependent(index: number): boolean {
    return this.#frames[index]?.independent === true;
  }

  /** The decode time at which the newest frame would be followed by the next, in milliseconds of the moved time line. */
  get endMs(): number {
    return ((this.#lastDts ?? 0) + this.#lastFrameTicks) / ticksPerMs;
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
    let end = last.dts - (this.#shiftTicks ?? 0) + this.#lastFrameTicks;
    const shown = (frame: VideoFrame) => frame.dts + frame.compositionOffset;
    const waiting = this.#frames.slice(-maxReorderedFrames).map((frame) => ({ frame, pts: shown(frame) }));
    const late = [...this.#takenPts.map((pts) => ({ frame: undefined, pts })), ...waiting].filter(
      ({ pts }) => pts >= end - this.#lastFrameTicks / 2,
    );
    for (const { frame, pts } of late.sort((one, other) => one.pts - other.pts)) {
      const gap = pts - end;
      if (frame && gap > this.#lastFrameTicks / 2) frame.compositionOffset -= Math.round(gap);
      end = (frame ? shown(frame) : pts) + this.#lastFrameTicks;
    }
    return end / ticksPerMs;
  }

  /** Adds a frame and returns when it is decoded, in milliseconds of the moved time line. */
  push({ timeMs, compositionTimeMs, keyframe, independent, data, config, arrivedAtMs, held = false }: VideoInput): number {
    const fpsBefore = this.#rate.fps;
    // A picture that is back may be reordered by more than a black one was.
    if (this.#held && !held) this.#shiftTicks = undefined;
    this.#held = held;
    if (!held) this.#rate.add(timeMs, config.nominalFps);
    const stamp = { timeMs, compositionTimeMs };
    this.#frames.push({ data, keyframe, independent, config, arrivedAtMs, dts: 0, compositionOffset: 0 });
    this.#sizeBytes += data.length;
    this.#stamps.push(stamp);
    if (this.#rate.fps !== fpsBefore && !this.#taken) this.#placeAnew();
    else this.#place(this.#frames.length - 1);
    return (this.#lastDts ?? 0) / ticksPerMs;
  }

  /** Now that the rate is known, the frames from before it was stand on the grid as well. */
  #placeAnew(): void {
    this.#shiftTicks = undefined;
    this.#lastDts = undefined;
    this.#gridTicks = undefined;
    for (const index of this.#frames.keys()) this.#place(index);
  }

  #place(index: number): void {
    const frame = this.#frames[index];
    const stamp = this.#stamps[index];
    if (frame === undefined || stamp === undefined) return;
    const decode = this.#snapDecodeTime(stamp.timeMs * ticksPerMs);
    const composition = this.#snapComposition(stamp.compositionTimeMs * ticksPerMs);
    // A time line cannot begin before 0: then the first offset stays negative.
    this.#shiftTicks ??= Math.max(composition, -decode);
    // Decode times must rise: where a publisher repeats one, the frame comes a tick later and is shown when it should be.
    const dts = Math.max(Math.round(decode + this.#shiftTicks), (this.#lastDts ?? -1) + 1);
    if (this.#lastDts !== undefined) this.#lastFrameTicks = dts - this.#lastDts;
    this.#lastDts = dts;
    frame.dts = dts;
    frame.compositionOffset = Math.round(decode + composition) - dts;
  }

  #snapDecodeTime(stamped: number): number {
    const { fps } = this.#rate;
    const before = this.#gridTicks;
    this.#gridTicks = stamped;
    if (fps === undefined || before === undefined) return stamped;
    const frameTicks = videoTimescale / fps;
    const expected = before + Math.max(Math.round((stamped - before) / frameTicks), 1) * frameTicks;
    const tolerance = Math.min(frameTicks * 0.45, maxDriftMs * ticksPerMs);
    if (Math.abs(stamped - expected) <= tolerance) this.#gridTicks = expected;
    return this.#gridTicks;
  }

  #snapComposition(stamped: number): number {
    const { fps } = this.#rate;
    if (fps === undefined) return stamped;
    const exact = (Math.round((stamped * fps) / videoTimescale) * videoTimescale) / fps;
    return Math.abs(exact - stamped) <= compositionRoundingMs * ticksPerMs ? exact : stamped;
  }

  /** The next `count` frames belong to a part, which {@link take} makes later. */
  assign(count: number): void {
    this.#assigned += count;
  }

  /** Takes out the first `count` frames, which were assigned to one part; all have one configuration. */
  take(count: number): VideoRun | undefined {
    this.#assigned -= count;
    const frames = this.#frames.splice(0, count);
    this.#stamps.splice(0, count);
    const first = frames[0];
    if (first === undefined) return undefined;
    this.#taken = true;
    this.#takenPts = [...this.#takenPts, ...frames.map(({ dts, compositionOffset }) => dts + compositionOffset)].slice(
      -maxReorderedFrames,
    );
    const samples = frames.map(({ data, dts, compositionOffset, keyframe }, index) => {
      this.#sizeBytes -= data.length;
      const next = frames[index + 1] ?? this.#frames[0];
      return { data, duration: next ? next.dts - dts : this.#lastFrameTicks, compositionOffset, sync: keyframe };
    });
    return {
      config: first.config,
      baseDecodeTime: first.dts,
      samples,
      independent: first.independent,
      arrivedAtMs: first.arrivedAtMs,
    };
  }

  /** Begins a new time line at the next frame; whatever waits is left out. */
  restart(): void {
    this.#frames = [];
    this.#assigned = 0;
    this.#stamps = [];
    this.#sizeBytes = 0;
    this.#shiftTicks = undefined;
    this.#lastDts = undefined;
    this.#gridTicks = undefined;
    this.#lastFrameTicks = defaultFrameTicks;
    this.#rate = new FrameRate();
    this.#held = false;
    this.#taken = false;
    this.#takenPts = [];
  }
}
