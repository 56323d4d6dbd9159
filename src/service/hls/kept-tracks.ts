import type { Meters } from '../../shared/model/live.ts';
import type { AudioConfig, VideoConfig } from '../media/track-config.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { type HeldPictureFit, PictureHold } from './picture-hold.ts';
import { PictureSteadier } from './picture-steadier.ts';
import { type PictureSpan, SoundFill } from './sound-fill.ts';
import { StandInAllowance } from './stand-in-allowance.ts';
import type { VideoInput } from './video-track.ts';

/** What a broadcast's tracks last were: a publisher that takes over may have one of them only. */
export interface TrackMemory {
  audio?: AudioConfig;
  /** The newest IDR picture. */
  picture?: VideoInput;
}

/** A track that does not come while the other does. */
export type AwayTrack = NonNullable<Meters['away']>;

export interface KeptTracksOptions {
  bounds: PackagerBounds;
  fit: HeldPictureFit & {
    /** The picture of the segment that is being filled, if it has any. */
    readonly openPicture: PictureSpan | undefined;
  };
  /** Of the publishers before, and for those that follow. */
  memory: TrackMemory;
  /** Takes frames of silence, and of a held picture, in their place before the media that has come. */
  onSound: (timeMs: number, data: Buffer) => void;
  onPicture: (frame: VideoInput) => void;
}

/**
 * Keeps both tracks of a source going while one of them is away: sound as silence, the picture as the last keyframe.
 *
 * Players with Media Source Extensions take no init segment that misses a track they have had before, and play no further than
 * both tracks go: so a broadcast has what it once had to its end. The renditions are made from the same media, and keep theirs.
 */
export class KeptTracks {
  readonly #sound: SoundFill;
  readonly #picture: PictureHold;
  readonly #steadier = new PictureSteadier();
  /** The publisher says when it captured its pictures: their times are no trembling. */
  #dated = false;
  readonly #options: KeptTracksOptions;
  readonly #allowance = new StandInAllowance();

  constructor(options: KeptTracksOptions) {
    const { bounds, fit, memory } = options;
    this.#options = options;
    this.#sound = new SoundFill(bounds, this.#allowance);
    this.#picture = new PictureHold(bounds, fit, { idr: memory.picture, allowance: this.#allowance });
    if (memory.audio) this.#sound.setConfig(memory.audio);
  }

  /** The track that something stands in for now. */
  get away(): AwayTrack | undefined {
    if (this.#sound.filling) return 'sound';
    return this.#picture.holding ? 'picture' : undefined;
  }

  setAudioConfig(config: AudioConfig): void {
    this.#options.memory.audio = config;
    this.#sound.setConfig(config);
  }

  setVideoConfig(config: VideoConfig): void {
    this.#picture.setConfig(config);
  }

  /** A frame has come. Says where it is to stand, or undefined where it is to be left out. */
  takeVideo(stamped: VideoInput, { isDated = false } = {}): number | undefined {
    const { fit, memory, onPicture, onSound } = this.#options;
    this.#allowance.earn(stamped.arrivedAtMs);
    this.#dated ||= isDated;
    const timeMs = this.#dated ? stamped.timeMs : this.#steadier.place(stamped.timeMs, fit.fps);
    const frame = { ...stamped, timeMs };
    const held = this.#picture.takeFrame(frame);
    if (held === undefined) return undefined;
    if (frame.independent) memory.picture = frame;
    for (const heldFrame of held) onPicture(heldFrame);
    for (const silent of this.#sound.followVideo(timeMs)) onSound(silent.timeMs, silent.data);
    return timeMs;
  }

  /** Sound of `frameMs` has come, at `arrivedAtMs` by the wall clock. Says where it is to stand, or undefined where it is to be left out. */
  takeAudio(stampMs: number, frameMs: number, arrivedAtMs: number | undefined): number | undefined {
    this.#allowance.earn(arrivedAtMs);
    const { onPicture, onSound } = this.#options;
    const taken = this.#sound.takeSound(stampMs, frameMs);
    if (taken === undefined) return undefined;
    for (const frame of taken.silent) onSound(frame.timeMs, frame.data);
    for (const frame of this.#picture.followSound(taken.timeMs)) onPicture(frame);
    return taken.timeMs;
  }

  /** Nothing follows what has come, as at the end of a broadcast, or follows on another timeline. */
  finish(): void {
    const { fit, onSound } = this.#options;
    const picture = fit.openPicture;
    if (picture) for (const { timeMs, data } of this.#sound.finish(picture)) onSound(timeMs, data);
    this.#sound.restart();
    this.#picture.restart();
    this.#steadier.restart();
  }
}
