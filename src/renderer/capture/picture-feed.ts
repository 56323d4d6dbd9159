import { type CaptureWish, formatCapturedMedia, maxUntakenPictures } from '../../shared/capture-message.ts';
import type { CaptureFeedOptions } from './capture-feed.ts';
import type { I420Picture } from './i420.ts';
import { MissCounter } from './miss-counter.ts';
import { pictureConstraints } from './open-media.ts';
import { PictureCopier } from './picture-copier.ts';
import { readTrack } from './track-processor.ts';

/** The size and rate of the wanted pictures. */
export type WantedPicture = NonNullable<Extract<CaptureWish, { kind: 'want' }>['video']>;

/** The service asks for missing pictures every two seconds: at every second question, the track is read again. */
const rereadEvery = 2;

/** Sends a capture's pictures in the wanted size, at most two that the service hasn't taken. */
export class PictureFeed {
  readonly #options: Pick<CaptureFeedOptions, 'media' | 'socket' | 'onStuck'>;
  #sent = 0;
  #taken = 0;
  /** The last picture in the wanted size, while none is being copied. */
  #last: I420Picture | undefined;
  readonly #misses: MissCounter;

  constructor(options: Pick<CaptureFeedOptions, 'media' | 'socket' | 'onStuck'>) {
    this.#options = options;
    const isCamera = options.media.of === 'camera';
    this.#misses = new MissCounter(() => isCamera && options.onStuck());
  }

  /** The service has taken this many pictures. */
  took(frames: number): void {
    this.#taken = frames;
  }

  /**
   * The service misses pictures. A screen that doesn't change has no new ones, so its last one is sent again. A camera always has new ones:
   * if they fail to come, or a screen has no last one, this waits, which gives a busy computer time, and every second time returns false:
   * read the track again.
   */
  repeat(): boolean {
    const misses = this.#misses.miss();
    if (this.#options.media.of === 'camera' || this.#last === undefined) return misses % rereadEvery !== 0;
    if (!this.#isFull) this.#push(this.#last);
    return true;
  }

  /** The wanted media has changed. */
  begin(): void {
    this.#misses.restart();
  }

  /** Sends pictures until `signal` aborts or the track ends; calls `works` after each. */
  async send(wanted: WantedPicture, signal: AbortSignal, works: () => void): Promise<void> {
    const { of, picture: track, keepsSize } = this.#options.media;
    if (track === undefined) return;
    this.#last = undefined;
    // A camera that can't deliver the size keeps its own; the copier scales.
    if (!keepsSize) await track.applyConstraints(pictureConstraints(of, wanted)).catch(() => {});
    const copier = new PictureCopier(wanted);
    let lastUs = Number.NEGATIVE_INFINITY;
    await readTrack<VideoFrame>(track, {
      // The newest frame wins: the browser drops older ones.
      maxWaiting: 1,
      signal,
      onData: async (frame) => {
        this.#misses.restart();
        const sinceLastUs = frame.timestamp - lastUs;
        // Times may begin again, as when another tab is shared instead.
        const isEarly = sinceLastUs >= 0 && sinceLastUs < 750_000 / wanted.fps;
        if (isEarly || this.#isFull) return;
        lastUs = frame.timestamp;
        this.#last = undefined;
        const picture = await copier.copy(frame);
        if (signal.aborted) return;
        this.#last = picture;
        this.#push(picture);
        works();
      },
    });
  }

  get #isFull(): boolean {
    return this.#sent - this.#taken >= maxUntakenPictures;
  }

  #push(picture: I420Picture): void {
    const { socket } = this.#options;
    if (socket.readyState !== WebSocket.OPEN) return;
    this.#sent += 1;
    socket.send(formatCapturedMedia({ kind: 'picture', ...picture }));
  }
}
