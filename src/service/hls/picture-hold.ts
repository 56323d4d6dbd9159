import type { StillPicture, VideoConfig } from '../media/track-config.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { StandInAllowance } from './stand-in-allowance.ts';
import { TrackAbsence } from './track-absence.ts';
import type { VideoInput } from './video-track.ts';

/** What segments and parts a held picture has to fit. */
export interface HeldPictureFit {
  /** Frames per second, where that is fixed. */
  readonly fps: number | undefined;
  /** Whether a segment would end before a keyframe that is shown at this time. */
  endsAt(shownMs: number): boolean;
}

/** What follows a frame that nothing follows stands not further behind it. */
const maxFrameMs = 200;
/** A picture is late when so many frames might have come. */
const patienceFrames = 3;
/** Where nothing tells. */
const usualFps = 30;
/** Players that decode every frame need no more of one that stands. */
const maxHeldFps = 60;
/** A held frame this near before one that has come would only be in its way. */
const minFrameMs = 10;

interface HoldOptions {
  /** The newest IDR picture of the publishers before. */
  idr: VideoInput | undefined;
  allowance: StandInAllowance;
}

/** What a picture is held from. */
interface HeldPicture {
  config: VideoConfig;
  compositionTimeMs: number;
  still: StillPicture;
  frameMs: number;
  /** Where the next frame stands, and how many have come since the last keyframe. */
  nextMs: number;
  sinceKeyframe: number;
}

/**
 * Keeps the picture of a source going: says which frames are to stand in for those that do not come.
 *
 * A picture counts as away once as much sound as {@link PackagerBounds.holdPictureAfterMs} has come since its newest frame, the more
 * the slower its frames came. From there on the newest IDR picture stands, or a black one where none has come but its parameters
 * have: repeated at its frame rate, and anew at the start of each segment, until a keyframe comes. Other frames would need pictures
 * that players no longer have. All times in milliseconds.
 */
export class PictureHold {
  readonly #bounds: PackagerBounds;
  readonly #fit: HeldPictureFit;
  readonly #allowance: StandInAllowance;
  #idr: VideoInput | undefined;
  #config: VideoConfig | undefined;
  /** Frames have come. */
  #begun = false;
  /** Where the next frame would stand, after those that have come. */
  #endMs: number | undefined;
  #lastMs: number | undefined;
  /** From the frame before the newest to that. */
  #frameMs = 0;
  readonly #absence = new TrackAbsence();
  #soundMs: number | undefined;
  #held: HeldPicture | undefined;
  /** How far behind the sound the newest keyframe came that was too late to end the hold, and where it would have stood. */
  #late: { behindMs: number; timeMs: number } | undefined;
  /** A picture that stays that late has to be waited for. */
  #lagMs = 0;
  #black: { config: VideoConfig; data: Buffer | undefined } | undefined;

  constructor(bounds: PackagerBounds, fit: HeldPictureFit, { idr, allowance }: HoldOptions) {
    this.#bounds = bounds;
    this.#fit = fit;
    if (idr) this.#keep(idr);
    this.#allowance = allowance;
  }

  /** Whether a picture stands in now. */
  get holding(): boolean {
    return this.#held !== undefined;
  }

  setConfig(config: VideoConfig): void {
    this.#config = config;
  }

  /** A frame has come: the held ones to go before it, or undefined where it is to be left out, since the picture is held. */
  takeFrame(frame: VideoInput): Iterable<VideoInput> | undefined {
    const { timeMs, compositionTimeMs, keyframe } = frame;
    const held = this.#held;
    if (held && (!keyframe || this.#isTooLate(frame, held))) return undefined;
    this.#endHold();
    this.#begun = true;
    this.#keep(frame);
    this.#frameMs = Math.max(timeMs - (this.#lastMs ?? timeMs), 1);
    const frameMs = Math.min(this.#frameMs, maxFrameMs);
    const shownMs = timeMs + compositionTimeMs - (this.#idr?.compositionTimeMs ?? 0);
    this.#endMs = Math.max(timeMs, shownMs, (this.#endMs ?? 0) - frameMs) + frameMs;
    this.#lastMs = timeMs;
    this.#absence.end();
    return this.#makeUntil(held, timeMs - minFrameMs);
  }

  /** Keeps what can be held; one of a codec that cannot takes the place of those before all the same. */
  #keep(frame: VideoInput): void {
    if (frame.config.format.holding === undefined) this.#idr = undefined;
    else if (frame.independent) this.#idr = frame;
  }

  /**
   * The held picture has gone on beyond this keyframe: it would lead back in time. One that catches up, as in a file that begins
   * again after its picture was missing, will come in time; for one that stays as late the held picture waits.
   */
  #isTooLate({ timeMs }: VideoInput, { nextMs, frameMs }: HeldPicture): boolean {
    if (timeMs >= nextMs - frameMs + minFrameMs) return false;
    const behindMs = Math.max((this.#soundMs ?? timeMs) - timeMs, 0);
    const before = this.#late;
    const hasCaughtUp = before === undefined || before.behindMs - behindMs > (timeMs - before.timeMs) / 2;
    this.#lagMs = hasCaughtUp ? 0 : behindMs + this.#bounds.heldPictureLagMs;
    this.#late = { behindMs, timeMs };
    return true;
  }

  #endHold(): void {
    this.#held = undefined;
    this.#late = undefined;
    this.#lagMs = 0;
  }

  /** The sound has come to `timeMs`: the held frames due until then. */
  followSound(timeMs: number): Iterable<VideoInput> {
    const { heldPictureLagMs, maxPauseMs } = this.#bounds;
    this.#soundMs = timeMs;
    this.#endMs ??= timeMs;
    this.#absence.follow(timeMs, this.#patienceMs);
    // Tracks that are further apart than the longest pause are not of one clock.
    if (this.#absence.awayMs < this.#patienceMs || timeMs - (this.#held?.nextMs ?? this.#endMs) > maxPauseMs) return [];
    this.#held ??= this.#begin(this.#endMs);
    return this.#makeUntil(this.#held, timeMs - Math.max(heldPictureLagMs, this.#lagMs));
  }

  /** A screen that shows little new may be sent slowly, and a first picture is worth waiting for. */
  get #patienceMs(): number {
    const [leastMs, mostMs] = this.#bounds.holdPictureAfterMs;
    if (!this.#begun) return mostMs;
    return Math.min(Math.max(patienceFrames * this.#frameMs, leastMs), mostMs);
  }

  /** One by one: whether a segment ends before a frame shows when those before it have been taken. */
  *#makeUntil(held: HeldPicture | undefined, timeMs: number): Generator<VideoInput> {
    if (held === undefined || held.nextMs > timeMs) return;
    const wanted = Math.floor((timeMs - held.nextMs) / held.frameMs) + 1;
    // What may not be held stays a hole, which the frame before it is shown for.
    held.nextMs += (wanted - this.#allowance.take(wanted, held.frameMs)) * held.frameMs;
    while (held.nextMs <= timeMs) yield this.#makeNext(held);
  }

  #begin(startMs: number): HeldPicture | undefined {
    const idr = this.#idr ?? this.#makeBlack();
    if (idr === undefined) return undefined;
    const { data, config, compositionTimeMs } = idr;
    const still = config.format.holding?.makeStill(data, config);
    return still && { config, compositionTimeMs, still, frameMs: this.#findFrameMs(config), nextMs: startMs, sinceKeyframe: 0 };
  }

  /** That of the picture: players may take the rate of the frames that they see first for that of all. */
  #findFrameMs({ nominalFps }: VideoConfig): number {
    return 1000 / Math.min(this.#fit.fps ?? nominalFps ?? usualFps, maxHeldFps);
  }

  /** Nothing of what comes after it is ever decoded without a keyframe: a picture without IDR pictures is not replaced. */
  #makeBlack(): Pick<VideoInput, 'data' | 'config' | 'compositionTimeMs'> | undefined {
    if (this.#begun || this.#config === undefined) return undefined;
    const config = this.#config;
    // Of the largest size it takes a while: once is enough.
    if (this.#black?.config !== config) this.#black = { config, data: config.format.holding?.makeBlack(config) };
    const { data } = this.#black;
    return data && { data, config, compositionTimeMs: 0 };
  }

  #makeNext(held: HeldPicture): VideoInput {
    const { config, compositionTimeMs } = held;
    const timeMs = Math.round(held.nextMs);
    const keyframe = held.sinceKeyframe === 0 || this.#fit.endsAt(timeMs + compositionTimeMs);
    if (keyframe) held.sinceKeyframe = 0;
    const data = keyframe ? held.still.idr : held.still.repeat(held.sinceKeyframe);
    held.sinceKeyframe += 1;
    held.nextMs += held.frameMs;
    return { timeMs, compositionTimeMs, keyframe, independent: keyframe, data, config, held: true };
  }

  /** What comes next is of another timeline; the picture from before can be held there too. */
  restart(): void {
    this.#endMs = undefined;
    this.#lastMs = undefined;
    this.#absence.restart();
    this.#soundMs = undefined;
    this.#endHold();
  }
}
