import type { AudioConfig } from '../media/track-config.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { maxJitterMs, stampRoundingMs } from './rounding.ts';
import type { StandInAllowance } from './stand-in-allowance.ts';
import { TrackAbsence } from './track-absence.ts';

/** So many late frames one after another are not trembling: something between them and those before never came. */
const trembleFrames = 8;

/** From where to where a picture goes, in milliseconds. */
export interface PictureSpan {
  startMs: number;
  endMs: number;
}

/**
 * Keeps the sound of a source going: says where frames of silence are to stand in for frames that do not come.
 *
 * Sound counts as away once as much video as {@link PackagerBounds.fillSoundAfterMs} has come since its newest frame, however late
 * that was; from then on silence keeps up with the video. A hole that shows as the next frame comes is filled as well. Where the
 * format of the sound is not known, or silence cannot be made in it, there is none. All times in milliseconds.
 */
export class SoundFill {
  readonly #bounds: PackagerBounds;
  readonly #allowance: StandInAllowance;
  #silence: { frame: Buffer; lengthMs: number } | undefined;
  /** Where the sound ends, the silence that stood in for it too; before there is any, where the video begins. */
  #endMs: number | undefined;
  /** Whether sound has come on this timeline: what it is late or early by is counted from the frame before. */
  #begun = false;
  /** Up to here silence stood in: sound that comes for it is too late. */
  #filledMs = 0;
  readonly #absence = new TrackAbsence();
  /** How late each of the newest frames was, as long as all were. */
  #lateMs: number[] = [];

  constructor(bounds: PackagerBounds, allowance: StandInAllowance) {
    this.#bounds = bounds;
    this.#allowance = allowance;
  }

  /** Whether silence stands in now. */
  get filling(): boolean {
    return this.#silence !== undefined && this.#absence.awayMs >= this.#bounds.fillSoundAfterMs;
  }

  setConfig(config: AudioConfig): void {
    const frame = config.format.makeSilence(config);
    // Segments from before sound was announced are made without it.
    if (this.#silence === undefined) this.#endMs = undefined;
    this.#silence = frame && { frame, lengthMs: (config.samplesPerFrame * 1000) / config.timescale };
  }

  /** The video has come to `timeMs`: the silent frames due before that. */
  followVideo(timeMs: number): { timeMs: number; data: Buffer }[] {
    this.#endMs ??= timeMs;
    this.#absence.follow(timeMs, this.#bounds.fillSoundAfterMs);
    return this.filling ? this.#fillUpTo(timeMs, timeMs) : [];
  }

  /**
   * A frame of `frameMs` has come: where it is to stand, and the silent frames to go before it; or undefined where silence has taken
   * its place already. A frame that is stamped late or early stands where the one before ended: silence is for frames that never come.
   */
  takeSound(stampMs: number, frameMs: number): { timeMs: number; silent: { timeMs: number; data: Buffer }[] } | undefined {
    const wasFilling = this.filling;
    this.#absence.end();
    const lengthMs = this.#silence?.lengthMs ?? 0;
    const offMs = this.#begun ? stampMs - (this.#endMs ?? stampMs) : 0;
    this.#begun = true;
    const isLate = lengthMs > 0 && !wasFilling && offMs + stampRoundingMs >= lengthMs && offMs <= maxJitterMs;
    this.#lateMs = isLate ? [...this.#lateMs, offMs] : [];
    const isEarly = lengthMs > 0 && offMs <= -lengthMs && offMs >= -maxJitterMs && stampMs >= this.#filledMs;
    const trembles = (isLate && this.#lateMs.length < trembleFrames) || isEarly;
    const leastMs = Math.min(...this.#lateMs, offMs);
    if (isLate && !trembles) this.#lateMs = [];
    const timeMs = trembles ? Math.round(stampMs - offMs) : stampMs - Math.max(offMs - leastMs, 0);
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
   * Nothing follows the picture of the last segment: the silent frames it needs to have any sound. Encoders that stop are often
   * behind with the sound, by more than a short segment; and hls.js never comes to the end where a last segment adds nothing to
   * what is buffered of both tracks.
   */
  finish({ startMs, endMs }: PictureSpan): { timeMs: number; data: Buffer }[] {
    if (this.#silence === undefined || this.#endMs === undefined) return [];
    // A frame stands earlier than it says by half its length at most: one of them begins in the segment surely.
    const enoughMs = startMs + this.#silence.lengthMs * 1.5;
    return this.#endMs < enoughMs ? this.#fillUpTo(Math.max(endMs, enoughMs), startMs) : [];
  }

  /** Silence goes on to `untilMs`; from `orFromMs` where the sound is further behind than tracks of one clock are. */
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
    // What may not be filled stays a hole, up to where the silence begins.
    const startMs = fromMs + (wanted - count) * lengthMs;
    this.#filledMs = startMs + count * lengthMs;
    this.#endMs = this.#filledMs;
    return Array.from({ length: count }, (_, index) => ({ timeMs: Math.round(startMs + index * lengthMs), data: frame }));
  }

  /** What comes next is of another timeline. */
  restart(): void {
    this.#endMs = undefined;
    this.#begun = false;
    this.#filledMs = 0;
    this.#lateMs = [];
    this.#absence.restart();
  }
}
