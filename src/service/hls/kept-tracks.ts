import type { AacConfig } from '../media/aac.ts';
import type { PackagerBounds } from './packager-bounds.ts';
import { type HeldPictureFit, PictureHold } from './picture-hold.ts';
import { SoundFill } from './sound-fill.ts';
import type { VideoInput } from './video-track.ts';

export interface KeptTracksOptions {
  bounds: PackagerBounds;
  fit: HeldPictureFit;
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
  readonly #options: KeptTracksOptions;

  constructor(options: KeptTracksOptions) {
    this.#options = options;
    this.#sound = new SoundFill(options.bounds);
    this.#picture = new PictureHold(options.bounds, options.fit);
  }

  setAudioConfig(config: AacConfig): void {
    this.#sound.setConfig(config);
  }

  /** A frame has come. Says false where it is to be left out. */
  takeVideo(frame: VideoInput): boolean {
    const held = this.#picture.takeFrame(frame);
    if (held === undefined) return false;
    for (const heldFrame of held) this.#options.onPicture(heldFrame);
    for (const { timeMs, data } of this.#sound.followVideo(frame.timeMs)) this.#options.onSound(timeMs, data);
    return true;
  }

  /** Sound has come. Says false where it is to be left out. */
  takeAudio(timeMs: number): boolean {
    const silent = this.#sound.takeSound(timeMs);
    if (silent === undefined) return false;
    for (const frame of silent) this.#options.onSound(frame.timeMs, frame.data);
    for (const frame of this.#picture.followSound(timeMs)) this.#options.onPicture(frame);
    return true;
  }

  restart(): void {
    this.#sound.restart();
    this.#picture.restart();
  }
}
