import { maxAudioJitterMs, maxJitterMs, stampRoundingMs } from '../media/rounding.ts';
import type { AudioConfig } from '../media/track-config.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { StandInAllowance } from './stand-in-allowance.ts';
import { TrackAbsence } from './track-absence.ts';

/** This many late frames in a row are not jitter: frames before them were lost. */
const jitterFrames = 8;

/** From where to where video goes, in milliseconds. */
export interface VideoSpan {
  startMs: number;
  endMs: number;
}

/**
 * Keeps the audio of a source going: makes frames of silence that stand in for those that do not come.
 *
 * Audio counts as away once as much video as {@link PackagerBounds.fillAudioAfterMs} has arrived since its newest frame, however late
 * that was. From then on silence keeps up with the video. A hole that shows when the next frame comes is filled too. If the audio
 * format is unknown, or has no silence, nothing is filled. All times in milliseconds.
 */
export class SilenceFill {
  readonly #bounds: PackagerBounds;
  readonly #allowance: StandInAllowance;
  #silence: { frame: Buffer; lengthMs: number } | undefined;
  /** Where the audio ends, with the silence that stood in for it; before there is any, where the video begins. */
  #endMs: number | undefined;
  #videoMs: number | undefined;
  /** Whether audio has arrived on this timeline: each frame's delay is measured from the frame before. */
  #begun = false;
  /** Silence was filled in up to here: audio before this is too late. */
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
    // Segments from before audio was announced have none.
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
   * A frame of `frameMs` has arrived. Returns its time, and the silent frames that go before it; or undefined if silence already took
   * its place, or its time is so far from where both tracks are that silence has to. A frame that is stamped a little late or early starts
   * where the one before ended: silence is for frames that never come.
   */
  takeAudio(stampMs: number, frameMs: number): { timeMs: number; silent: { timeMs: number; data: Buffer }[] } | undefined {
    const reachedMs = Math.max(this.#endMs ?? this.#videoMs ?? stampMs, this.#videoMs ?? 0);
    if (this.#silence && stampMs - reachedMs > this.#bounds.trackLostMs) return undefined;
    const wasFilling = this.filling;
    this.#absence.end();
    const lengthMs = this.#silence?.lengthMs ?? 0;
    const offMs = this.#begun ? stampMs - (this.#endMs ?? stampMs) : 0;
    this.#begun = true;
    // `AudioTrack` takes no more as jitter: it would leave a hole before a late frame, and drop one that overlaps.
    const lateFromMs = Math.min(lengthMs - stampRoundingMs, maxAudioJitterMs);
    const isLate = lengthMs > 0 && !wasFilling && offMs >= lateFromMs && offMs <= maxJitterMs;
    this.#lateMs = isLate ? [...this.#lateMs, offMs] : [];
    const earlyFromMs = Math.min(lengthMs, maxAudioJitterMs);
    const isEarly = lengthMs > 0 && offMs <= -earlyFromMs && offMs >= -maxJitterMs && stampMs >= this.#filledMs;
    const isJitter = (isLate && this.#lateMs.length < jitterFrames) || isEarly;
    const leastMs = Math.min(...this.#lateMs, offMs);
    if (isLate && !isJitter) this.#lateMs = [];
    // Rounded down: a long row of early frames would else move further and further from its stamps.
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
   * The video ends with its last segment. Returns the silent frames from the end of the audio to that of the video, and at least what
   * that segment needs to have any audio. When encoders stop, their audio is often behind; and hls.js never reaches the end if a hole is
   * left in what is buffered of both tracks, or if the last segment adds nothing to it.
   */
  finish({ startMs, endMs }: VideoSpan): { timeMs: number; data: Buffer }[] {
    if (this.#silence === undefined || this.#endMs === undefined) return [];
    // A frame is placed at most half its length early: so one of these certainly begins in the segment.
    const enoughMs = startMs + this.#silence.lengthMs * 1.5;
    // What rounding leaves over is no hole.
    return this.#fillUpTo(Math.max(endMs - stampRoundingMs, enoughMs), startMs);
  }

  /** Fills with silence up to `untilMs`; only from `orFromMs` if the audio is further behind than tracks that share a clock. */
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
    // Beyond the allowance, a hole stays before the silence.
    const startMs = fromMs + (wanted - count) * lengthMs;
    this.#filledMs = startMs + count * lengthMs;
    this.#endMs = this.#filledMs;
    return Array.from({ length: count }, (_, index) => ({ timeMs: Math.round(startMs + index * lengthMs), data: frame }));
  }

  /** What comes next is on another timeline. */
  restart(): void {
    this.#endMs = undefined;
    this.#videoMs = undefined;
    this.#begun = false;
    this.#filledMs = 0;
    this.#lateMs = [];
    this.#absence.restart();
  }
}
