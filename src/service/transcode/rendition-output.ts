import { AudioHold } from '../media/audio-hold.ts';
import { type ConfigUnit, compositionMs, type PlacedUnit, placedTimescale, type VideoUnit } from '../media/media-unit.ts';
import { leastLengthMs } from '../media/rounding.ts';

/** Audio is held back for late video, but not longer than this. */
const maxAudioHoldMs = 5_000;

export interface RenditionOutputOptions {
  timeline: number;
  /** When the first keyframe is shown. */
  startMs: number;
  /** A keyframe at most this far from one of the source's was made of it. */
  keyframeToleranceMs: number;
  onUnit: (unit: PlacedUnit) => void;
  /** Frames are missing here, up to the next keyframe. */
  onBreak: () => void;
}

/**
 * One rendition as it comes out of an ffmpeg: its keyframes are matched to the source's, and the audio is put between its frames.
 *
 * Times are on the source's timeline.
 */
export class RenditionOutput {
  readonly #options: RenditionOutputOptions;
  /** Presentation times of the source's keyframes that aren't out yet. */
  #keyframes: number[] = [];
  /** Presentation times of the keyframes before which frames are missing. */
  #breaks: number[] = [];
  readonly #audio: AudioHold<PlacedUnit>;
  #videoInMs = Number.NEGATIVE_INFINITY;
  #videoOutMs: number | undefined;

  constructor(options: RenditionOutputOptions) {
    this.#options = options;
    this.#audio = new AudioHold<PlacedUnit>(maxAudioHoldMs, options.onUnit);
  }

  /** When the newest frame that is out is shown. */
  get videoOutMs(): number | undefined {
    return this.#videoOutMs;
  }

  /** Notes that ffmpeg was fed a frame that is shown at this time. */
  expectVideo(shownMs: number, keyframe: boolean): void {
    this.#videoInMs = Math.max(this.#videoInMs, shownMs);
    if (keyframe) this.#keyframes.push(shownMs);
  }

  /** Notes that frames of the source were left out before the keyframe that is shown at this time. */
  expectBreak(keyframeMs: number): void {
    this.#breaks.push(keyframeMs);
  }

  /** Takes audio, or its configuration, to be put between the frames. */
  pushAudio(unit: PlacedUnit): void {
    this.#audio.push(unit);
    this.#releaseAudio();
  }

  /** Takes the configuration of the frames that follow. */
  announceVideo({ config }: ConfigUnit): void {
    const { timeline, startMs, onUnit } = this.#options;
    onUnit({ type: 'config', timeline, timescale: placedTimescale, dts: startMs, config });
  }

  /** Takes a frame from ffmpeg, decoded at `timeMs` on the source's timeline. */
  pushVideo(unit: VideoUnit, timeMs: number): void {
    const { timeline, onUnit } = this.#options;
    const keyframeMs = unit.keyframe ? this.#takeKeyframe(timeMs) : undefined;
    // Frames before the first keyframe decode to garbage.
    if (this.#videoOutMs === undefined && keyframeMs === undefined) return;
    const shownMs = Math.max(keyframeMs ?? timeMs, (this.#videoOutMs ?? Number.NEGATIVE_INFINITY) + leastLengthMs);
    this.#breakBefore(shownMs);
    this.#videoOutMs = shownMs;
    this.#releaseAudio();
    const times = { timeline, timescale: placedTimescale, dts: shownMs, pts: shownMs + compositionMs(unit) };
    // Only frames made of the source's keyframes count as keyframes.
    const isStart = keyframeMs !== undefined;
    onUnit({ ...unit, ...times, keyframe: isStart, independent: isStart && unit.independent });
  }

  /** Passes on the audio that still waits: no more frames will come. */
  finish(): void {
    this.#audio.release(Number.POSITIVE_INFINITY);
    this.#breakBefore(Number.POSITIVE_INFINITY);
  }

  #breakBefore(shownMs: number): void {
    const count = this.#breaks.filter((keyframeMs) => keyframeMs <= shownMs).length;
    if (count === 0) return;
    this.#breaks.splice(0, count);
    this.#options.onBreak();
  }

  /** The source's keyframe that this one was made of; earlier ones that are still awaited were never made. */
  #takeKeyframe(timeMs: number): number | undefined {
    const { keyframeToleranceMs } = this.#options;
    const index = this.#keyframes.findIndex((keyframeMs) => Math.abs(keyframeMs - timeMs) <= keyframeToleranceMs);
    return index < 0 ? undefined : this.#keyframes.splice(0, index + 1).at(-1);
  }

  #releaseAudio(): void {
    // If every frame is out, audio needn't wait.
    const allOut = this.#videoOutMs !== undefined && this.#videoOutMs >= this.#videoInMs;
    this.#audio.release(allOut ? Number.POSITIVE_INFINITY : (this.#videoOutMs ?? 0));
  }
}
