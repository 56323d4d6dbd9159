import type { Writable } from 'node:stream';
import { bytesPerSample, type FeedFormat, sampleRate } from './feed-format.ts';
import type { PooledFrame } from './frame-pool.ts';
import { type Block, formatCluster, formatHeader, type Tracks, trackNumbers } from './matroska.ts';

/** How much may wait for an encoder; on a busy computer, starting it takes that long. */
const maxQueueSeconds = 2;
const maxQueueBytes = 128 * 1024 * 1024;
/** Sound is small, so more of it may wait. */
const maxSoundSeconds = 10;

export interface FeedTapOptions {
  tracks: Tracks;
  /** An ffmpeg's stdin. */
  input: Writable;
}

/** A frame of the feed with its sound, for a tap. */
export interface FeedBlock {
  frame: number;
  picture: PooledFrame;
  /** The sound that begins with this frame. */
  sound: Buffer;
}

/**
 * Gives a feed to one encoder, from the next frame on that begins a GOP: pictures and sound with timestamps that begin at 0 with that
 * frame. An encoder that is too slow misses frames, and the others keep their times.
 */
export class FeedTap {
  readonly #format: FeedFormat;
  readonly #gopFrames: number;
  readonly #options: FeedTapOptions;
  readonly #onClose: () => void;
  #firstFrame: number | undefined;
  #waitingFrames = 0;
  #waitingSamples = 0;

  constructor({ format, gopFrames }: { format: FeedFormat; gopFrames: number }, options: FeedTapOptions, onClose: () => void) {
    this.#format = format;
    this.#gopFrames = gopFrames;
    this.#options = options;
    this.#onClose = onClose;
  }

  /** The feed's frame that it begins with; undefined until then. */
  get firstFrame(): number | undefined {
    return this.#firstFrame;
  }

  push({ frame, picture, sound }: FeedBlock): void {
    const { tracks, input } = this.#options;
    if (input.destroyed || input.writableEnded) return;
    if (this.#firstFrame === undefined) {
      if (frame % this.#gopFrames !== 0) return;
      this.#firstFrame = frame;
      input.write(formatHeader(this.#format, tracks));
    }
    const { fps } = this.#format;
    const hasRoom = this.#waitingFrames < Math.min(maxQueueSeconds * fps, maxQueueBytes / picture.bytes.length);
    const samples = sound.length / bytesPerSample;
    const isVideo = tracks.video && hasRoom;
    const isAudio = tracks.audio && this.#waitingSamples < maxSoundSeconds * sampleRate;
    const blocks: (Block & { write: () => void })[] = [
      ...(isVideo
        ? [{ track: trackNumbers.video, sizeBytes: picture.bytes.length, write: () => this.#writePicture(picture.keep()) }]
        : []),
      ...(isAudio
        ? [{ track: trackNumbers.audio, sizeBytes: sound.length, write: () => this.#writeSound(sound, samples) }]
        : []),
    ];
    if (blocks.length === 0) return;
    input.cork();
    for (const [index, head] of formatCluster(Math.round(((frame - this.#firstFrame) * 1000) / fps), blocks).entries()) {
      input.write(head);
      blocks[index]?.write();
    }
    input.uncork();
  }

  close(): void {
    this.#onClose();
  }

  #writePicture(picture: PooledFrame): void {
    this.#waitingFrames += 1;
    this.#options.input.write(picture.bytes, () => {
      this.#waitingFrames -= 1;
      picture.release();
    });
  }

  #writeSound(sound: Buffer, samples: number): void {
    this.#waitingSamples += samples;
    this.#options.input.write(sound, () => {
      this.#waitingSamples -= samples;
    });
  }
}
