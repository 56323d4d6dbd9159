import type { StillPicture, VideoConfig } from '../media/track-config.ts';
import { assumedFps } from './assumed-fps.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import type { StandInAllowance } from './stand-in-allowance.ts';
import { TrackAbsence } from './track-absence.ts';
import type { VideoInput } from './video-track.ts';

/** The frame rate and segment ends that a held picture must fit. */
export interface HeldPictureFit {
  /** Frames per second, if the rate is fixed. */
  readonly fps: number | undefined;
  /** Whether a segment would end before a keyframe that is shown at this time. */
  endsAt(shownMs: number): boolean;
}

/** Longest duration assumed for the last frame before a gap. */
const maxFrameMs = 200;
/** Video is late when this many frames could have arrived. */
const patienceFrames = 3;
/** Players decode every frame: a still picture needs no more. */
const maxHeldFps = 60;
/** No held frame comes closer than this before a frame that has arrived. */
const minFrameMs = 10;

interface HoldOptions {
  /** The newest independent frame of the publishers before. */
  newest: VideoInput | undefined;
  allowance: StandInAllowance;
}

/** The picture that is being held, and its next frame. */
interface StandInPicture {
  config: VideoConfig;
  compositionTimeMs: number;
  still: StillPicture;
  frameMs: number;
  /** The time of the next frame, and how many frames were made since the last keyframe. */
  nextMs: number;
  sinceKeyframe: number;
}

/**
 * Keeps a source's video continuous: makes frames that stand in for missing ones.
 *
 * Video counts as away once as much audio as {@link PackagerBounds.holdPictureAfterMs} has arrived since its newest frame: more
 * if its frames came slowly. From then on the newest independent frame is held, or a black one if only the parameters have
 * arrived. It is repeated at the video's frame rate, with a keyframe at the start of each segment, until a keyframe comes: other
 * frames would need references that players no longer have. All times in milliseconds.
 */
export class PictureHold {
  readonly #bounds: PackagerBounds;
  readonly #fit: HeldPictureFit;
  readonly #allowance: StandInAllowance;
  #newest: VideoInput | undefined;
  #config: VideoConfig | undefined;
  /** Whether frames have arrived. */
  #begun = false;
  /** No frame of this timeline can be shown yet. */
  #awaitsKeyframe = true;
  /** The time of the next frame, after those that have arrived. */
  #endMs: number | undefined;
  #lastMs: number | undefined;
  /** The distance between the two newest frames. */
  #frameMs = 0;
  readonly #absence = new TrackAbsence();
  #audioMs: number | undefined;
  #held: StandInPicture | undefined;
  /** The newest keyframe that was too late to end the hold: how far behind the audio it came, and its time. */
  #late: { behindMs: number; timeMs: number } | undefined;
  /** The held picture waits this long for video that stays late. */
  #lagMs = 0;
  #black: { config: VideoConfig; data: Buffer | undefined } | undefined;

  constructor(bounds: PackagerBounds, fit: HeldPictureFit, { newest, allowance }: HoldOptions) {
    this.#bounds = bounds;
    this.#fit = fit;
    if (newest) this.#keep(newest);
    this.#allowance = allowance;
  }

  /** Whether a held picture replaces the video now. */
  get holding(): boolean {
    return this.#held !== undefined;
  }

  setConfig(config: VideoConfig): void {
    this.#config = config;
  }

  /** A frame has arrived. Returns the held frames before it, or undefined to drop it because a picture is held. */
  takeFrame(frame: VideoInput): Iterable<VideoInput> | undefined {
    const { timeMs, compositionTimeMs, keyframe } = frame;
    const held = this.#held;
    // Frames before the first keyframe can't be shown: drop them, and count the video as still to come.
    if (!keyframe && this.#awaitsKeyframe) return undefined;
    if (held && (!keyframe || this.#isTooLate(frame, held))) return undefined;
    this.#endHold();
    this.#begun = true;
    this.#awaitsKeyframe = false;
    this.#keep(frame);
    this.#frameMs = Math.max(timeMs - (this.#lastMs ?? timeMs), 1);
    const frameMs = Math.min(this.#frameMs, maxFrameMs);
    const shownMs = timeMs + compositionTimeMs - (this.#newest?.compositionTimeMs ?? 0);
    this.#endMs = Math.max(timeMs, shownMs, (this.#endMs ?? 0) - frameMs) + frameMs;
    this.#lastMs = timeMs;
    this.#absence.end();
    return this.#makeUntil(held, timeMs - minFrameMs);
  }

  /** Keeps the frame if it can be held. A frame whose codec can't hold pictures still makes the kept one obsolete. */
  #keep(frame: VideoInput): void {
    if (frame.config.format.holding === undefined) this.#newest = undefined;
    else if (frame.independent) this.#newest = frame;
  }

  /**
   * Whether the held picture is already past this keyframe, which would lead back in time. Video that catches up, as in a file
   * that restarts after its video was missing, will soon be in time; for video that stays late, the held picture waits.
   */
  #isTooLate({ timeMs }: VideoInput, { nextMs, frameMs }: StandInPicture): boolean {
    if (timeMs >= nextMs - frameMs + minFrameMs) return false;
    const behindMs = Math.max((this.#audioMs ?? timeMs) - timeMs, 0);
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

  /** The audio has reached `timeMs`. Returns the held frames due until then. */
  followAudio(timeMs: number): Iterable<VideoInput> {
    const { heldPictureLagMs, maxPauseMs } = this.#bounds;
    this.#audioMs = timeMs;
    this.#endMs ??= timeMs;
    this.#absence.follow(timeMs, this.#patienceMs);
    // Tracks further apart than the longest pause do not share a clock.
    if (this.#absence.awayMs < this.#patienceMs || timeMs - (this.#held?.nextMs ?? this.#endMs) > maxPauseMs) return [];
    this.#held ??= this.#begin(this.#endMs);
    return this.#makeUntil(this.#held, timeMs - Math.max(heldPictureLagMs, this.#lagMs));
  }

  /** How long to wait for video: a screen that hardly changes may be sent slowly, and a first picture is worth waiting for. */
  get #patienceMs(): number {
    const [leastMs, mostMs] = this.#bounds.holdPictureAfterMs;
    if (this.#awaitsKeyframe) return mostMs;
    return Math.min(Math.max(patienceFrames * this.#frameMs, leastMs), mostMs);
  }

  /** Makes frames one by one: only when a frame has been taken is it known whether a segment ends before the next. */
  *#makeUntil(held: StandInPicture | undefined, timeMs: number): Generator<VideoInput> {
    if (held === undefined || held.nextMs > timeMs) return;
    const wanted = Math.floor((timeMs - held.nextMs) / held.frameMs) + 1;
    // Frames beyond the allowance aren't made: the frame before that hole is shown for longer.
    held.nextMs += (wanted - this.#allowance.take(wanted, held.frameMs)) * held.frameMs;
    while (held.nextMs <= timeMs) yield this.#makeNext(held);
  }

  #begin(startMs: number): StandInPicture | undefined {
    const shown = this.#newest ?? this.#makeBlack();
    if (shown === undefined) return undefined;
    const { data, config, compositionTimeMs } = shown;
    const still = config.format.holding?.makeStill(data, config);
    return still && { config, compositionTimeMs, still, frameMs: this.#findFrameMs(config), nextMs: startMs, sinceKeyframe: 0 };
  }

  /** The video's own frame duration: players may take the rate of the first frames for that of all. */
  #findFrameMs({ nominalFps }: VideoConfig): number {
    return 1000 / Math.min(this.#fit.fps ?? nominalFps ?? assumedFps, maxHeldFps);
  }

  /** After a black picture nothing is decoded until a keyframe: video without independent frames is not replaced. */
  #makeBlack(): Pick<VideoInput, 'data' | 'config' | 'compositionTimeMs'> | undefined {
    if (this.#begun || this.#config === undefined) return undefined;
    const config = this.#config;
    // Make it only once: at the largest size it takes a while.
    if (this.#black?.config !== config) this.#black = { config, data: config.format.holding?.makeBlack(config) };
    const { data } = this.#black;
    return data && { data, config, compositionTimeMs: 0 };
  }

  #makeNext(held: StandInPicture): VideoInput {
    const { config, compositionTimeMs } = held;
    const timeMs = Math.round(held.nextMs);
    const keyframe = held.sinceKeyframe === 0 || this.#fit.endsAt(timeMs + compositionTimeMs);
    if (keyframe) held.sinceKeyframe = 0;
    const data = keyframe ? held.still.picture : held.still.repeat(held.sinceKeyframe);
    held.sinceKeyframe += 1;
    held.nextMs += held.frameMs;
    return { timeMs, compositionTimeMs, keyframe, independent: keyframe, data, config, held: true };
  }

  /** The next units are on another timeline; the picture from before can be held there, too. */
  restart(): void {
    this.#awaitsKeyframe = true;
    this.#endMs = undefined;
    this.#lastMs = undefined;
    this.#absence.restart();
    this.#audioMs = undefined;
    this.#endHold();
  }
}
