import type { Meters } from '../../shared/model/live.ts';
import { DriftMeter } from './drift-meter.ts';
import { DroppedFrames } from './dropped-frames.ts';
import { FrameSpacing, nothingSparse, plus, type SparseMedia } from './frame-spacing.ts';
import { KeyframeMeter } from './keyframe-meter.ts';
import { PaceMeter } from './pace-meter.ts';
import { isTimeJump } from './time-jump.ts';

/** Bitrate and frame rate are measured over this many milliseconds of arrivals. */
const windowMs = 5_000;
/** With less than this, a rate would be a guess. */
const minWindowMs = 1_000;
/** After this long without video, the publisher counts as sending none. */
const withoutVideoMs = 2_000;

/**
 * If a slower source explains at least this share of the missing frames, none was dropped. With two of three frames dropped at
 * random, it seems to explain up to 0.9 of them.
 */
const slowerShare = 0.9;

/** One unit as the meter sees it; `timeMs` is its decode time, and `nominalFps` the frame rate that its publisher announces. */
export interface MeteredUnit {
  track: 'audio' | 'video';
  timeMs: number;
  sizeBytes: number;
  keyframe: boolean;
  nominalFps?: number | undefined;
}

interface Arrival {
  atMs: number;
  sizeBytes: number;
  frames: number;
  /** Decode time of the entry's first frame. */
  firstFrameMs: number | undefined;
  /** The media that turned out, with these frames, to come from a slower source. */
  sparse: SparseMedia;
}

/**
 * Measures one publisher's media: bitrate and frame rate over the last five seconds, the keyframe interval, and whether sound and
 * picture stay together.
 *
 * Reads no clock: arrival times are passed in. Values are undefined until known.
 */
export class MediaMeter {
  /** One entry per 100 ms, so that memory does not depend on the frame rate. */
  readonly #arrivals: Arrival[] = [];
  /** Bytes of all entries. */
  #sizeBytes = 0;
  #startedAtMs: number | undefined;
  readonly #paces = { video: new PaceMeter(), audio: new PaceMeter() };
  readonly #lastAtMs = { video: Number.NEGATIVE_INFINITY, audio: Number.NEGATIVE_INFINITY };
  readonly #spacing = new FrameSpacing();
  readonly #dropped = new DroppedFrames();
  readonly #keyframes = new KeyframeMeter();
  readonly #drift = new DriftMeter();
  readonly #isHeldUp = () => this.pace < 1;

  add({ track, timeMs, sizeBytes, keyframe, nominalFps }: MeteredUnit, atMs: number): void {
    const arrival = this.#findArrival(atMs);
    arrival.sizeBytes += sizeBytes;
    this.#sizeBytes += sizeBytes;
    this.#drift.add(track, timeMs, atMs, this.#isHeldUp);
    this.#paces[track].add(timeMs, atMs);
    this.#lastAtMs[track] = atMs;
    if (track === 'audio') return;
    arrival.frames += 1;
    arrival.firstFrameMs ??= timeMs;
    const sparse = this.#spacing.add(timeMs, nominalFps);
    if (sparse.frames > 0) arrival.sparse = plus(arrival.sparse, sparse);
    this.#dropped.add(timeMs, sparse);
    this.#keyframes.add(timeMs, keyframe);
  }

  /** Counts data that is not a frame. */
  addBytes(sizeBytes: number, atMs: number): void {
    this.#findArrival(atMs).sizeBytes += sizeBytes;
    this.#sizeBytes += sizeBytes;
  }

  /** The entry that counts data arriving now. */
  #findArrival(atMs: number): Arrival {
    this.#startedAtMs ??= atMs;
    const last = this.#arrivals.at(-1);
    if (last && atMs - last.atMs < 100) return last;
    const arrival: Arrival = { atMs, sizeBytes: 0, frames: 0, firstFrameMs: undefined, sparse: nothingSparse };
    this.#arrivals.push(arrival);
    this.#forget(atMs);
    return arrival;
  }

  /** The encoder's speed as a multiple of real time: of its video, or of its audio while it sends no video. */
  get pace(): number {
    const { video, audio } = this.#lastAtMs;
    return audio - video > withoutVideoMs ? this.#paces.audio.pace : this.#paces.video.pace;
  }

  /** See {@link DriftMeter.driftMs}. */
  get driftMs(): number | undefined {
    return this.#drift.driftMs;
  }

  /** See {@link KeyframeMeter.isOverdue}. */
  get isKeyframeOverdue(): boolean {
    return this.#keyframes.isOverdue;
  }

  /** See {@link KeyframeMeter.intervalSeconds}. */
  get keyframeIntervalSeconds(): number | undefined {
    return this.#keyframes.intervalSeconds;
  }

  /**
   * Whether fewer frames than this arrive because the source makes fewer, by {@link FrameSpacing}, over the last five seconds of
   * arrivals before {@link rates} was last read.
   */
  isSlower(nominalFps: number | undefined): boolean {
    if (nominalFps === undefined) return false;
    const missingOf = ({ ms, frames }: { ms: number; frames: number }) => (ms * nominalFps) / 1000 - frames;
    const missing = missingOf(this.#recent());
    // Leave out the first entry: what turned out with it is about the time before.
    const [, ...arrivals] = this.#arrivals;
    const sparse = arrivals.map((arrival) => arrival.sparse).reduce(plus, nothingSparse);
    return missing > 0 && missingOf(sparse) >= slowerShare * missing;
  }

  /** Frames of the last minute that the encoder dropped, relative to its nominal frame rate; undefined while that is unknown. */
  droppedFrames(nominalFps: number | undefined): Meters['droppedFrames'] {
    return this.#dropped.read(nominalFps);
  }

  /** The rates at `atMs`; undefined until one second has been measured. */
  rates(atMs: number): { bitrateBps: number | undefined; fps: number | undefined } {
    if (this.#startedAtMs === undefined || atMs - this.#startedAtMs < minWindowMs)
      return { bitrateBps: undefined, fps: undefined };
    this.#forget(atMs);
    const first = this.#arrivals[0];
    // At least a second, so that one late burst after silence does not look like a high rate.
    const spanMs = first ? Math.max(atMs - first.atMs, minWindowMs) : windowMs;
    return { bitrateBps: (this.#sizeBytes * 8000) / spanMs, fps: this.#frameRate() };
  }

  /** Frames per second of media time, so that a burst does not look like a higher frame rate, scaled by the encoder's pace. */
  #frameRate(): number | undefined {
    const { ms, frames } = this.#recent();
    return ms < minWindowMs ? undefined : ((frames * 1000) / ms) * this.#paces.video.pace;
  }

  /** The video of the last five seconds. */
  #recent(): { ms: number; frames: number } {
    let ms = 0;
    let frames = 0;
    let last: { firstFrameMs: number; frames: number } | undefined;
    for (const { firstFrameMs, frames: each } of this.#arrivals) {
      if (firstFrameMs === undefined) continue;
      if (last !== undefined && !isTimeJump(last.firstFrameMs, firstFrameMs)) {
        ms += firstFrameMs - last.firstFrameMs;
        frames += last.frames;
      }
      last = { firstFrameMs, frames: each };
    }
    return { ms, frames };
  }

  #forget(atMs: number): void {
    for (let first = this.#arrivals[0]; first && first.atMs <= atMs - windowMs; first = this.#arrivals[0]) {
      this.#arrivals.shift();
      this.#sizeBytes -= first.sizeBytes;
    }
  }
}
