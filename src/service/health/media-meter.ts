import { DroppedFrames } from './dropped-frames.ts';
import { PaceMeter } from './pace-meter.ts';

/** Milliseconds of arrivals that bitrate and frame rate are measured over. */
const windowMs = 5_000;
/** With less than this measured, a rate would be a guess. */
const minWindowMs = 1_000;
const wrapMs = 2 ** 32;

/** One tag as the meter sees it; `timestampMs` is the tag's unsigned 32-bit decode time. */
export interface MeteredTag {
  kind: 'audio' | 'video';
  timestampMs: number;
  sizeBytes: number;
  keyframe: boolean;
}

interface Arrival {
  atMs: number;
  sizeBytes: number;
  frames: number;
  /** Decode time of the entry's first frame. */
  firstFrameMs: number | undefined;
}

/**
 * Measures what arrives from one publisher: bitrate and frame rate over the last five seconds, and the keyframe interval.
 *
 * It reads no clock: arrivals bear their time. What is not yet known is undefined.
 */
export class MediaMeter {
  /** One entry per 100 ms, so that memory does not follow the frame rate. */
  #arrivals: Arrival[] = [];
  #lastKeyframeMs: number | undefined;
  #keyframeIntervalMs: number | undefined;
  #startedAtMs: number | undefined;
  readonly #pace = new PaceMeter();
  readonly #dropped = new DroppedFrames();

  add(tag: MeteredTag, atMs: number): void {
    this.#startedAtMs ??= atMs;
    const last = this.#arrivals.at(-1);
    const frames = tag.kind === 'video' ? 1 : 0;
    if (last && atMs - last.atMs < 100) {
      last.sizeBytes += tag.sizeBytes;
      last.frames += frames;
      if (frames > 0) last.firstFrameMs ??= tag.timestampMs;
    } else {
      this.#arrivals.push({ atMs, sizeBytes: tag.sizeBytes, frames, firstFrameMs: frames > 0 ? tag.timestampMs : undefined });
      this.#forget(atMs);
    }
    if (tag.kind === 'video') {
      this.#pace.add(tag.timestampMs, atMs);
      this.#dropped.add(tag.timestampMs);
    }
    if (tag.kind === 'video' && tag.keyframe) this.#noteKeyframe(tag.timestampMs);
  }

  /** How fast the encoder is, as a share of real time. */
  get pace(): number {
    return this.#pace.pace;
  }

  /** Seconds from the last keyframe but one to the last, by their decode times. */
  get keyframeIntervalSeconds(): number | undefined {
    return this.#keyframeIntervalMs === undefined ? undefined : this.#keyframeIntervalMs / 1000;
  }

  /** The frames of the last minute that the encoder left out, at its nominal frame rate; undefined while that is not known. */
  droppedFrames(nominalFps: number | undefined): { count: number; ratio: number } | undefined {
    return this.#dropped.read(nominalFps);
  }

  /** Rates at `atMs`; both undefined until a second has been measured. */
  rates(atMs: number): { bitrateBps: number | undefined; fps: number | undefined } {
    if (this.#startedAtMs === undefined || atMs - this.#startedAtMs < minWindowMs)
      return { bitrateBps: undefined, fps: undefined };
    this.#forget(atMs);
    const first = this.#arrivals[0];
    // At least a second, so that one late burst after silence is not taken for a rate.
    const spanMs = first ? Math.max(atMs - first.atMs, minWindowMs) : windowMs;
    const sizeBytes = this.#arrivals.reduce((sum, arrival) => sum + arrival.sizeBytes, 0);
    return { bitrateBps: (sizeBytes * 8000) / spanMs, fps: this.#frameRate() };
  }

  /** Frames per second of media time, so that a burst of arrivals does not look like a faster camera, as far as the encoder keeps up. */
  #frameRate(): number | undefined {
    const withFrames = this.#arrivals.filter((arrival) => arrival.firstFrameMs !== undefined);
    const first = withFrames[0]?.firstFrameMs;
    const last = withFrames.at(-1)?.firstFrameMs;
    if (first === undefined || last === undefined) return undefined;
    const spanMs = (last - first + wrapMs) % wrapMs;
    if (spanMs < minWindowMs || spanMs > 60_000) return undefined;
    const frames = withFrames.slice(0, -1).reduce((sum, arrival) => sum + arrival.frames, 0);
    return ((frames * 1000) / spanMs) * this.#pace.pace;
  }

  #noteKeyframe(timestampMs: number): void {
    if (this.#lastKeyframeMs !== undefined) {
      const intervalMs = (timestampMs - this.#lastKeyframeMs + wrapMs) % wrapMs;
      // A timestamp that jumped back or far ahead says nothing of the encoder's keyframes.
      this.#keyframeIntervalMs = intervalMs > 0 && intervalMs < 60_000 ? intervalMs : undefined;
    }
    this.#lastKeyframeMs = timestampMs;
  }

  #forget(atMs: number): void {
    let first = 0;
    while (first < this.#arrivals.length && (this.#arrivals[first] as Arrival).atMs <= atMs - windowMs) first += 1;
    if (first > 0) this.#arrivals.splice(0, first);
  }
}
