import type { CaptureFault } from '../../shared/model/capture.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { sampleRate, samplesBefore } from './feed-format.ts';
import type { PooledFrame } from './frame-pool.ts';
import { HeldPicture } from './held-picture.ts';
import { PlayingFile, type PlayingFileOptions } from './playing-file.ts';

/** How much the tracks of a file may differ in length before that is reported. */
const shortSeconds = 1;

export interface FilePlayerOptions extends PlayingFileOptions {
  paths: readonly string[];
  loops: boolean;
  /** The position at which the first file starts when it first plays. */
  startAtSeconds?: number | undefined;
}

/**
 * Plays files one after another, once or again and again. A file's picture and sound begin together, and the next file begins when
 * the longer of both has ended. A last file without media is tried again until it has some. Pictures and sound must be taken at the
 * pace of the feed; the next file is started while the last of the one before it waits.
 */
export class FilePlayer {
  readonly #options: FilePlayerOptions;
  #file: PlayingFile;
  #next: PlayingFile | undefined;
  #index = 0;
  /** The first file has had media: from now on it starts at its beginning. */
  #hasBegun = false;
  readonly #held = new HeldPicture();
  #pause: NodeJS.Timeout | undefined;
  #hasEnded = false;
  /** Whether the sound is taken. Otherwise it is dropped, since the file is over only when both tracks are. */
  #isHeard = true;
  /** How long a track of the playing file has been over while the other continues. */
  #pictureOverSeconds = 0;
  #soundOverSeconds = 0;
  /**
   * The previous file's fault, kept long enough to be seen: no media, until the next file is known to have some; cut short, until the
   * next file is over.
   */
  #faultBefore: CaptureFault | undefined;
  #pathBefore: string | undefined;
  #logBefore: readonly string[] = [];
  #isClosed = false;
  readonly settled: Promise<void>;

  constructor(options: FilePlayerOptions) {
    this.#options = options;
    this.#file = new PlayingFile(options.paths[0] ?? '', options.startAtSeconds ?? 0, options);
    this.settled = this.#settle();
  }

  /** Why nothing plays: the files have ended, or no recent one could be read. Or that the previous file was cut short. */
  get fault(): CaptureFault | undefined {
    return this.#ownFault ?? (this.#isOfBefore ? this.#faultBefore : undefined);
  }

  /** The fault of the playing file. */
  get #ownFault(): CaptureFault | undefined {
    const file = this.#file;
    if (this.#hasEnded) return { code: this.#endCode };
    if (!file.isReady) return file.isStuck ? { code: 'stuck' } : undefined;
    if (file.isOver && file.isCutShort && !this.#isLast) return { code: 'cut-short' };
    return this.#pictureOverSeconds > shortSeconds ? { code: 'track-ended' } : file.fault;
  }

  /** Whether to report the previous file's fault, which a fault of the playing file replaces. */
  get #isOfBefore(): boolean {
    return this.#ownFault === undefined && (!this.#file.isReady || this.#faultBefore?.code === 'cut-short');
  }

  get #endCode(): 'ended' | 'ended-early' {
    return this.#file.isCutShort ? 'ended-early' : 'ended';
  }

  /** The file that {@link fault} is about. */
  get faultyPath(): string {
    return (this.#isOfBefore && this.#pathBefore !== undefined ? this.#pathBefore : this.#options.paths[this.#index]) ?? '';
  }

  /** Why the sound of the file that plays is missing while its picture isn't. */
  get soundFault(): CaptureFault | undefined {
    if (this.#hasEnded) return { code: this.#endCode };
    if (!this.#file.isReady || !this.#file.hadMedia) return undefined;
    return this.#soundOverSeconds > shortSeconds ? { code: 'track-ended' } : this.#file.soundFault;
  }

  /** ffmpeg's log about the picture of the playing file, or of the file before it that couldn't be played. */
  get log(): readonly string[] {
    const log = this.#file.pictures?.log ?? [];
    return log.length === 0 ? this.#logBefore : log;
  }

  /** The picture of the feed's next frame; the last one while the next file starts. */
  takePicture(): PooledFrame | undefined {
    const { format } = this.#options;
    if (!this.#isHeard && format) this.takeSound(new Int16Array(samplesBefore(1, format.fps) * 2));
    this.#isHeard = false;
    this.#advance();
    if (this.#hasEnded) return undefined;
    if (!this.#file.isReady) return this.#held.show(undefined);
    const { pictures } = this.#file;
    const next = pictures?.take();
    if (next === undefined) {
      if (pictures?.hadMedia === false || pictures?.isStuck) this.#held.drop();
      else if (pictures?.isOver && format && !this.#file.hasCover) this.#pictureOverSeconds += 1 / format.fps;
    }
    return this.#held.show(next);
  }

  /** The sound of the feed's next frame. Taken after its picture, if pictures are wanted. */
  takeSound(target: Int16Array): number {
    this.#isHeard = true;
    if (this.#options.format === undefined) this.#advance();
    if (this.#hasEnded || !this.#file.isReady) return 0;
    const { sound } = this.#file;
    const taken = sound.take(target);
    if (taken === 0 && sound.hadMedia && sound.isOver) this.#soundOverSeconds += target.length / 2 / sampleRate;
    return taken;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#held.drop();
    await Promise.all([this.#file.close(), this.#next?.close()]);
  }

  /** Resolves once a file plays, or none could. */
  async #settle(): Promise<void> {
    for (const _path of this.#options.paths) {
      const file = this.#file;
      await file.settled;
      if (file.hadMedia || this.#isClosed) return;
      this.#advance({ isAtOnce: true });
    }
  }

  /** @param isAtOnce opens the next file without a pause, even after one without media */
  #advance({ isAtOnce = false } = {}): void {
    if (this.#isClosed || this.#hasEnded || !this.#file.isReady) return;
    const isEnd = this.#isLast && this.#file.hadMedia;
    const isNearlyOver = this.#isNearlyOver;
    if (!isNearlyOver) this.#dropNext();
    if (isNearlyOver && this.#next === undefined && !isEnd && this.#pause === undefined) {
      const start = () => {
        this.#pause = undefined;
        this.#next = new PlayingFile(this.#options.paths[this.#nextIndex] ?? '', this.#nextStartSeconds, this.#options);
      };
      const pauseMs = isAtOnce && !this.#isLast ? 0 : this.#file.pauseMs;
      if (pauseMs === 0) start();
      else this.#pause = setTimeout(start, pauseMs);
    }
    if (!this.#file.isOver) return;
    if (isEnd) {
      this.#hasEnded = true;
      this.#held.drop();
      return;
    }
    if (this.#next === undefined) return;
    const over = this.#file;
    this.#hasBegun ||= this.#index === 0 && over.hadMedia;
    this.#faultBefore = over.isCutShort ? { code: 'cut-short' } : over.hadMedia ? undefined : over.fault;
    this.#pathBefore = this.#options.paths[this.#index];
    this.#logBefore = over.hadMedia ? [] : this.log;
    runHarmlessly(() => over.close(), 'closing a file that has ended');
    this.#file = this.#next;
    this.#index = this.#nextIndex;
    this.#next = undefined;
    this.#pictureOverSeconds = 0;
    this.#soundOverSeconds = 0;
  }

  /**
   * Whether the playing file is nearly over, so that the next one has to start. More sound waits than pictures, which are large; but the
   * sound may be the shorter track.
   */
  get #isNearlyOver(): boolean {
    const { isDecoded, sound } = this.#file;
    return isDecoded || (sound.hadMedia && sound.isDecoded && this.#soundOverSeconds <= shortSeconds);
  }

  #dropNext(): void {
    const next = this.#next;
    this.#next = undefined;
    if (next) runHarmlessly(() => next.close(), 'closing a file that was opened too early');
  }

  /** Whether the playing file is the last. */
  get #isLast(): boolean {
    return !this.#options.loops && this.#index === this.#options.paths.length - 1;
  }

  get #nextStartSeconds(): number {
    const hasBegun = this.#hasBegun || (this.#index === 0 && this.#file.hadMedia);
    return this.#nextIndex === 0 && !hasBegun ? (this.#options.startAtSeconds ?? 0) : 0;
  }

  get #nextIndex(): number {
    return this.#isLast ? this.#index : (this.#index + 1) % this.#options.paths.length;
  }
}
