import { videoTimescale } from '../media/fmp4-init.ts';
import type { FragmentSample } from '../media/fmp4-segment.ts';
import { compositionRoundingMs, leastLengthMs } from '../media/rounding.ts';
import type { VideoConfig } from '../media/track-config.ts';
import { assumedFps } from './assumed-fps.ts';
import { FrameRate } from './frame-rate.ts';

/** One access unit as it comes; `timeMs` is its dts on the media clock. */
export interface VideoInput {
  timeMs: number;
  compositionTimeMs: number;
  keyframe: boolean;
  /** Nothing after it needs frames from before it, which a keyframe of an open GOP doesn't guarantee. */
  independent: boolean;
  data: Buffer;
  config: VideoConfig;
  /** When it came from the publisher, by `Clock.monotonicMs`; absent in renditions. */
  arrivedMs?: number | undefined;
  /** Whether it is a held picture: its time tells nothing about the frame rate. */
  held?: boolean;
}

/** An access unit on the timeline, moved later by the reorder time; times in ticks of {@link videoTimescale}. */
export interface VideoFrame {
  data: Buffer;
  dts: number;
  compositionOffset: number;
  keyframe: boolean;
  independent: boolean;
  config: VideoConfig;
  arrivedMs: number | undefined;
}

/** Video taken out for one part: times in ticks of {@link videoTimescale}. */
export interface VideoRun {
  config: VideoConfig;
  baseDecodeTime: number;
  samples: FragmentSample[];
  /** How long each frame lasts before sample times are rounded. */
  frameTicks: number[];
  /** Whether the first frame is independent. */
  independent: boolean;
  /** When the first of them came from the publisher, as of {@link VideoInput.arrivedMs}. */
  arrivedMs: number | undefined;
}

/** A frame with its times as its publisher stamped them, in milliseconds. */
interface StampedFrame extends VideoFrame {
  stamp: { timeMs: number; compositionTimeMs: number; held: boolean };
}

const ticksPerMs = videoTimescale / 1000;
/**
 * Samples begin on multiples of this many ticks: of 0.1 ms, the shortest time that is a whole number of ticks and of microseconds.
 *
 * Chromium truncates a sample's time and its duration to microseconds. If both are whole, its buffer ends where the segment does.
 * Otherwise it ends a microsecond earlier, and hls.js 1.7 thinks that the segment isn't buffered yet: it loads it again and
 * again, or waits for good.
 */
const stepTicks = 9;
/** The duration of a last frame if nothing else is known. */
const defaultFrameTicks = videoTimescale / assumedFps;
/** Decoders reorder at most 16 frames (ISO/IEC 14496-10 annex A, MaxDpbFrames). */
const maxReorderedFrames = 16;
/** Clocks drift: a fixed rate holds as long as timestamps agree with it within this, and within nearly half a frame. */
const maxDriftMs = 20;
const maxDriftFrames = 0.45;

/**
 * The video that waits to be put into segments.
 *
 * Decode times are moved later by the composition time of the timeline's first keyframe, and composition offsets earlier by the
 * same, so that some become negative. Presentation times stay, and a segment's first decode time is the presentation time it
 * starts at, as with audio, without an edit list (the brand `cmf2`, ISO/IEC 23000-19 §7.7.2). After a discontinuity hls.js places
 * media by the first decode time, and reads no edit list: otherwise it would leave a hole as long as the reorder time.
 *
 * If the frame rate is fixed, frames are on its exact grid and not on times that RTMP rounds to milliseconds.
 */
export class VideoTrack {
  #frames: StampedFrame[] = [];
  #assigned = 0;
  #shiftTicks: number | undefined;
  #lastDts: number | undefined;
  /** The newest frame's time on the grid, with fractions of a tick. */
  #gridTicks: number | undefined;
  #lastFrameTicks = defaultFrameTicks;
  #sizeBytes = 0;
  #rate = new FrameRate();
  #held = false;
  #taken = false;
  /** Presentation times of the frames taken last: they can no longer be moved. */
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

  /** Frames per second, if the rate is fixed. */
  get fps(): number | undefined {
    return this.#rate.fps;
  }

  /** Whether enough is known about the rate to place the newest frame. */
  get rateSettled(): boolean {
    return this.#held || this.#rate.settled;
  }

  /** When the waiting frame at this index is decoded, in milliseconds of the moved timeline. */
  decodeMs(index: number): number {
    return (this.#frames[index]?.dts ?? Number.NaN) / ticksPerMs;
  }

  /** When the newest frame is shown, in milliseconds. */
  get lastShownMs(): number {
    const last = this.#frames.at(-1);
    return last ? (last.dts + last.compositionOffset) / ticksPerMs : Number.NaN;
  }

  /** Whether the frame at this index is independent. */
  isIndependent(index: number): boolean {
    return this.#frames[index]?.independent === true;
  }

  /** The decode time at which the newest frame would be followed by the next, in milliseconds of the moved timeline. */
  get endMs(): number {
    return ((this.#lastDts ?? 0) + this.#lastFrameTicks) / ticksPerMs;
  }

  /**
   * Ends the timeline. Returns where its video ends, in milliseconds, or undefined without any.
   *
   * A publisher that vanishes between B-frames never sends some frames that would have been shown before the last ones. The last
   * ones are then shown earlier: players stumble over a hole at the end of a timeline.
   */
  finish(): number | undefined {
    const last = this.#frames.at(-1);
    if (last === undefined) return undefined;
    // No later frame could be shown before this frame's decode time: up to there the video is whole.
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

  /** Adds a frame and returns when it is decoded, in milliseconds of the moved timeline. */
  push({ timeMs, compositionTimeMs, keyframe, independent, data, config, arrivedMs, held = false }: VideoInput): number {
    const fpsBefore = this.#rate.fps;
    if (!held) this.#rate.add(timeMs, config.nominalFps);
    const stamp = { timeMs, compositionTimeMs, held };
    const frame = { data, keyframe, independent, config, arrivedMs, stamp, dts: 0, compositionOffset: 0 };
    this.#frames.push(frame);
    this.#sizeBytes += data.length;
    if (this.#rate.fps !== fpsBefore && !this.#taken) this.#placeAgain();
    else this.#place(frame);
    return (this.#lastDts ?? 0) / ticksPerMs;
  }

  /** The rate has become known: moves the waiting frames to its grid, too. */
  #placeAgain(): void {
    this.#shiftTicks = undefined;
    this.#lastDts = undefined;
    this.#gridTicks = undefined;
    this.#held = false;
    for (const frame of this.#frames) this.#place(frame);
  }

  #place(frame: StampedFrame): void {
    const { stamp } = frame;
    // Video that returns may have a longer reorder time than the black picture before it.
    if (this.#held && !stamp.held) this.#shiftTicks = undefined;
    this.#held = stamp.held;
    const decode = this.#snapDecodeTime(stamp.timeMs * ticksPerMs);
    const composition = this.#snapComposition(stamp.compositionTimeMs * ticksPerMs);
    // A timeline can't begin before 0: if it would, the first offset stays negative.
    this.#shiftTicks ??= Math.max(composition, -decode);
    // Decode times must rise: if a publisher repeats one, the frame is decoded a step later and shown on time.
    const dts = Math.max(Math.round(decode + this.#shiftTicks), (this.#lastDts ?? -stepTicks) + stepTicks);
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
    const tolerance = Math.min(frameTicks * maxDriftFrames, maxDriftMs * ticksPerMs);
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
    const first = frames[0];
    if (first === undefined) return undefined;
    this.#taken = true;
    this.#takenPts = [...this.#takenPts, ...frames.map(({ dts, compositionOffset }) => dts + compositionOffset)].slice(
      -maxReorderedFrames,
    );
    const frameTicks: number[] = [];
    const samples = frames.map(({ data, dts, compositionOffset, keyframe }, index) => {
      this.#sizeBytes -= data.length;
      const next = frames[index + 1] ?? this.#frames[0];
      const ticks = next ? next.dts - dts : this.#lastFrameTicks;
      frameTicks.push(ticks);
      const sampleDts = roundToStep(dts);
      const shown = roundToStep(dts + compositionOffset);
      return { data, duration: roundToStep(dts + ticks) - sampleDts, compositionOffset: shown - sampleDts, sync: keyframe };
    });
    return {
      config: first.config,
      baseDecodeTime: roundToStep(first.dts),
      samples,
      frameTicks,
      independent: first.independent,
      arrivedMs: first.arrivedMs,
    };
  }

  /**
   * Ends the timeline before the waiting frame at this index: drops it and all after it. The one before it, if it waits, lasts `lastMs`
   * at most.
   */
  endBefore(index: number, lastMs: number): void {
    const dropped = this.#frames.splice(index);
    for (const { data } of dropped) this.#sizeBytes -= data.length;
    const last = this.#frames.at(-1);
    if (last === undefined) return;
    const next = dropped[0];
    const ticks = next ? next.dts - last.dts : this.#lastFrameTicks;
    this.#lastFrameTicks = Math.min(ticks, Math.max(lastMs, leastLengthMs) * ticksPerMs);
    this.#lastDts = last.dts;
  }

  /** Begins a new timeline at the next frame; drops all waiting frames. */
  restart(): void {
    this.#frames = [];
    this.#assigned = 0;
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

function roundToStep(ticks: number): number {
  return Math.round(ticks / stepTicks) * stepTicks;
}
