import { maxAudioJitterMs, maxJitterMs, stampRoundingMs } from '../media/rounding.ts';
import type { AudioConfig } from '../media/track-config.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { StandInAllowance } from './stand-in-allowance.ts';
import { TrackAbsence } from './track-absence.ts';

/** This many late frames in a row are not jitter: frames before them were lost. */
const jitterFrames = 8;

/** Start and end of video, in milliseconds. */
export interface VideoSpan {
  startMs: number;
  endMs: number;
}

/**
 * Keeps a source's audio continuous: makes frames of silence that stand in for missing ones.
 *
 * Audio counts as away once as much video as {@link PackagerBounds.fillAudioAfterMs} has arrived since its newest frame, however
 * late that was. From then on silence keeps up with the video. A hole that shows only when the next frame comes is filled, too.
 * If the audio format is unknown, or has no silence, nothing is filled. All times in milliseconds.
 */
export class SilenceFill {
  readonly #bounds: PackagerBounds;
  readonly #allowance: StandInAllowance;
  #silence: { frame: Buffer; lengthMs: number } | undefined;
  /** End of the audio, silence included; before there is any, start of the video. */
  #endMs: number | undefined;
  #videoMs: number | undefined;
  /** Whether audio has arrived on this timeline: each frame's delay is measured from the frame before. */
  #begun = false;
  /** Silence was filled in up to this time: audio before it is too late. */
  #filledMs = 0;
  readonly #absence = new TrackAbsence();
  /** How late each of the newest frames was, as long as all were. */
  #lateMs: number[] = [];

  constructor(bounds: PackagerBounds, allowance: StandInAllowance) {
    this.#bounds = bounds;
    this.#allowance = allowance;
  }

  /** Whether silence replaces the audio now. */
  get filling(): boolean {
    return this.#silence !== undefined && this.#absence.awayMs >= this.#bounds.fillAudioAfterMs;
  }

  setConfig(config: AudioConfig): void {
    const frame = config.format.makeSilence(config);
    // Segments from before audio was announced get none, so filling begins now.
    if (this.#silence === undefined) this.#endMs = undefined;
    this.#silence = frame && { frame, lengthMs: (config.samplesPerFrame * 1000) / config.timescale };
  }

  /** The video has reached `timeMs`. Returns the silent frames due before that. */
  followVideo(timeMs: number): { timeMs: number; data: Buffer }[] {
    this.#endMs ??= timeMs;
    this.#videoMs = timeMs;
    this.#absence.follow(timeMs, this.#bounds.fillAudioAfterMs);
    return this.filling ? this.#fillUpTo(timeMs, timeMs) : [];
  }

  /**
   * A frame of `frameMs` has arrived. Returns its time, and the silent frames before it; or undefined if silence already took its
   * place, or must take it, because the frame's time is too far ahead of both tracks. A frame that is stamped a little late or
   * early starts where the one before ended: silence is for frames that never come.
   */
  takeAudio(stampMs: number, frameMs: number): { timeMs: number; silent: { timeMs: number; data: Buffer }[] } | undefined {
    const reachedMs = Math.max(this.#endMs ?? this.#videoMs ?? stampMs, this.#videoMs ?? 0);
    if (this.#silence && stampMs - reachedMs > this.#bounds.trackLostMs) return undefined;
    const wasFilling = this.filling;
    this.#absence.end();
    const lengthMs = this.#silence?.lengthMs ?? 0;
    const offMs = this.#begun ? stampMs - (this.#endMs ?? stampMs) : 0;
    this.#begun = true;
    // `AudioTrack` counts no more than this as jitter: it would leave a hole before a late frame, and drop one that overlaps.
    const lateFromMs = Math.min(lengthMs - stampRoundingMs, maxAudioJitterMs);
    const isLate = lengthMs > 0 && !wasFilling && offMs >= lateFromMs && offMs <= maxJitterMs;
    this.#lateMs = isLate ? [...this.#lateMs, offMs] : [];
    const earlyFromMs = Math.min(lengthMs, maxAudioJitterMs);
    const isEarly = lengthMs > 0 && offMs <= -earlyFromMs && offMs >= -maxJitterMs && stampMs >= this.#filledMs;
    const isJitter = (isLate && this.#lateMs.length < jitterFrames) || isEarly;
    const leastMs = Math.min(...this.#lateMs, offMs);
    if (isLate && !isJitter) this.#lateMs = [];
    // Round down: otherwise a long run of early frames drifts from its timestamps.
    const timeMs = isJitter ? Math.floor(stampMs - offMs) : stampMs - (offMs - leastMs);
    const silent = this.#takeAt(timeMs, frameMs);
    return silent && { timeMs, silent };
  }

  #takeAt(timeMs: number, frameMs: number): { timeMs: number; data: Buffer }[] | undefined {
    if (timeMs + frameMs / 2 < this.#filledMs) return undefined;
    const holeMs = timeMs - (this.#endMs ?? timeMs);
    const lost = holeMs > this.#bounds.trackLostMs ? 0 : Math.floor(this.#countFrames(holeMs + stampRoundingMs));
    const silent = this.#fill(timeMs - holeMs, lost);
    this.#endMs = timeMs + frameMs;
    return silent;
  }

  /**
   * The video ends with its last segment. Returns the silent frames from the end of the audio to that of the video, or further,
   * so that this segment has some audio. When encoders stop, their audio is often behind; and hls.js never reaches the end if the
   * media buffered of both tracks has a hole, or if the last segment adds nothing to it.
   */
  finish({ startMs, endMs }: VideoSpan): { timeMs: number; data: Buffer }[] {
    if (this.#silence === undefined || this.#endMs === undefined) return [];
    // A frame is placed at most half its length early, so one of these is sure to begin in the segment.
    const enoughMs = startMs + this.#silence.lengthMs * 1.5;
    // A rest that is only rounding is no hole.
    return this.#fillUpTo(Math.max(endMs - stampRoundingMs, enoughMs), startMs);
  }

  /**
   * Fills with silence up to `untilMs`, from the end of the audio, or from `orFromMs` if that is too far back to share a clock.
   */
  #fillUpTo(untilMs: number, orFromMs: number): { timeMs: number; data: Buffer }[] {
    const endMs = this.#endMs ?? orFromMs;
    const fromMs = orFromMs - endMs > this.#bounds.maxPauseMs ? orFromMs : endMs;
    this.#endMs = fromMs;
    return this.#fill(fromMs, Math.ceil(this.#countFrames(untilMs - fromMs)));
  }

  #countFrames(durationMs: number): number {
    return this.#silence === undefined ? 0 : durationMs / this.#silence.lengthMs;
  }

  #fill(fromMs: number, wanted: number): { timeMs: number; data: Buffer }[] {
    if (this.#silence === undefined || wanted <= 0) return [];
    const { frame, lengthMs } = this.#silence;
    const count = this.#allowance.take(wanted, lengthMs);
    // If the allowance is too small, leave a hole before the silence.
    const startMs = fromMs + (wanted - count) * lengthMs;
    this.#filledMs = startMs + count * lengthMs;
    this.#endMs = this.#filledMs;
    return Array.from({ length: count }, (_, index) => ({ timeMs: Math.round(startMs + index * lengthMs), data: frame }));
  }

  /** The next units are on another timeline. */
  restart(): void {
    this.#endMs = undefined;
    this.#videoMs = undefined;
    this.#begun = false;
    this.#filledMs = 0;
    this.#lateMs = [];
    this.#absence.restart();
  }
}
