import type { CaptureFault } from '../../shared/model/capture.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { type SilenceWatch, watchForSilence } from '../lib/silence-watch.ts';
import { explainFileEnd, isCutShort, isOtherTrackEmpty } from './capture-fault.ts';
import { type CaptureRun, startCaptureRun } from './capture-run.ts';
import { type FeedFormat, pictureBytes, sampleRate } from './feed-format.ts';
import type { PooledFrame } from './frame-pool.ts';
import { FrameReader } from './frame-reader.ts';
import { MatroskaSound } from './matroska-sound.ts';
import { SoundQueue } from './sound-queue.ts';

/** How many seconds of a file's pictures wait: enough to start the next file meanwhile, unless the computer is busy. */
const pictureSeconds = 0.25;
/** The same for its sound, which takes little memory. A gap in music is heard, while the picture just stays until the next file. */
const soundSeconds = 2;
/** How much sound must be ready when a file begins: a frame lasts up to a tenth of a second. */
const beginSeconds = 0.1;

/** An ffmpeg that gives no output for this long while we wait for it, in milliseconds, is stuck: on its file, or by itself. */
const stuckMs = 5_000;

/** A track that is later than this can't be read or decoded in real time. */
const slowSeconds = 2;
/** A picture of a slow track is still shown this often, in milliseconds. */
const stillShownMs = 500;

/** The base of both tracks of a file: an ffmpeg that decodes no faster than its output is taken. */
abstract class PacedRun {
  readonly settled: Promise<void>;
  #run: CaptureRun;
  #settle = () => {};
  #isOver = false;
  #isPaused = false;
  #hadMedia = false;
  #fault: CaptureFault | undefined;
  #isCutShort = false;
  #isBlank = false;
  #isStuck = false;
  /** Waits for its output; undefined while that is held back. */
  #silence: SilenceWatch | undefined;
  /** ffmpeg's last lines, once it has ended. */
  log: readonly string[] = [];

  constructor(ffmpegPath: string, args: readonly string[]) {
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#run = startCaptureRun(ffmpegPath, args, (bytes) => {
      if (this.#isStuck) this.#awaitOutput();
      else this.#silence?.heard();
      this.push(bytes);
      if (!this.isEmpty) this.#hadMedia = true;
      if (this.hasEnough) this.#settle();
      this.pace();
    });
    this.#awaitOutput();
    runHarmlessly(() => this.#awaitEnd(), 'capturing a file');
  }

  #awaitOutput(): void {
    this.#isStuck = false;
    this.#silence = watchForSilence({
      limitMs: stuckMs,
      onSilence: () => {
        this.#isStuck = true;
      },
    });
  }

  #stopAwaiting(): void {
    this.#isStuck = false;
    this.#silence?.stop();
    this.#silence = undefined;
  }

  async #awaitEnd(): Promise<void> {
    const end = await this.#run.ended;
    this.#isOver = true;
    this.#stopAwaiting();
    this.log = end.stderr;
    if (this.#hadMedia) this.#isCutShort = isCutShort(end);
    else this.#fault = explainFileEnd(end);
    this.#isBlank = !this.#hadMedia && end.exitCode === 0 && end.stderr.length === 0;
    this.#settle();
  }

  protected abstract push(bytes: Buffer): void;
  /** Whether it has enough to begin without running dry. */
  protected abstract get hasEnough(): boolean;
  /** Whether enough waits to be taken. */
  protected abstract get isFull(): boolean;
  protected abstract get isEmpty(): boolean;
  /** How late the next output is, in seconds. */
  protected abstract get lateSeconds(): number;

  /** It has had media. */
  get hadMedia(): boolean {
    return this.#hadMedia;
  }

  /** Its ffmpeg has ended; some of its media may wait. */
  get isDecoded(): boolean {
    return this.#isOver;
  }

  /** It has had media, but the rest of the file couldn't be read. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /** Its ffmpeg has read the file to the end without an error and without media. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  /** It couldn't be read together with the other track, which the file announces but doesn't have. */
  get lacksOther(): boolean {
    return !this.#hadMedia && isOtherTrackEmpty(this.log);
  }

  /** Everything was taken. */
  get isOver(): boolean {
    return this.#isOver && this.isEmpty;
  }

  /** It should give media and doesn't: a drive or a network doesn't answer, or nobody writes to a pipe. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Why there is nothing to take. */
  get fault(): CaptureFault | undefined {
    return this.#fault ?? (this.isStuck ? { code: 'stuck' } : undefined);
  }

  /** It is slower than real time. */
  get isSlow(): boolean {
    return !this.#isOver && this.lateSeconds > slowSeconds;
  }

  close(): Promise<void> {
    return this.#run.stop();
  }

  protected pace(): void {
    if (this.#isOver || this.isFull === this.#isPaused) return;
    this.#isPaused = this.isFull;
    if (this.#isPaused) {
      this.#stopAwaiting();
      this.#run.pause();
    } else {
      this.#awaitOutput();
      this.#run.resume();
    }
  }
}

/** The pictures of one file, or of a generator, one for each frame of the feed. */
export class PacedPictures extends PacedRun {
  readonly #reader: FrameReader;
  readonly #frames: PooledFrame[] = [];
  readonly #maxFrames: number;
  readonly #fps: number;
  /** How many frames it is behind: that many of the next ones are left out. */
  #owed = 0;
  #shownAtMs = 0;

  constructor(
    ffmpegPath: string,
    args: readonly string[],
    format: FeedFormat,
    maxFrames = Math.ceil(format.fps * pictureSeconds),
  ) {
    super(ffmpegPath, args);
    this.#reader = new FrameReader(pictureBytes(format));
    this.#maxFrames = maxFrames;
    this.#fps = format.fps;
  }

  protected override push(bytes: Buffer): void {
    for (const frame of this.#reader.push(bytes)) {
      const isShownLate = this.isSlow && performance.now() - this.#shownAtMs > stillShownMs;
      if (this.#owed > 0 && !isShownLate) {
        this.#owed -= 1;
        frame.release();
      } else {
        this.#frames.push(frame);
        this.#shownAtMs = performance.now();
      }
    }
  }

  protected override get lateSeconds(): number {
    return this.#owed / this.#fps;
  }

  protected override get hasEnough(): boolean {
    return !this.isEmpty;
  }

  protected override get isFull(): boolean {
    return this.#frames.length >= this.#maxFrames;
  }

  protected override get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  take(): PooledFrame | undefined {
    const frame = this.#frames.shift();
    if (frame === undefined && this.hadMedia && !this.isDecoded) this.#owed += 1;
    this.pace();
    return frame;
  }

  override async close(): Promise<void> {
    for (const frame of this.#frames.splice(0)) frame.release();
    await super.close();
  }
}

/** The sound of one file, from an ffmpeg that puts it out with its times. */
export class PacedSound extends PacedRun {
  readonly #reader = new MatroskaSound();
  readonly #queue = new SoundQueue();
  /** How much silence comes before the sound, since the picture may begin earlier. Undefined until the sound begins. */
  #silentSamples: number | undefined;
  #owed = 0;

  protected override push(bytes: Buffer): void {
    for (const { timeMs, pcm } of this.#reader.push(bytes)) {
      this.#silentSamples ??= Math.round((timeMs * sampleRate) / 1000);
      this.#queue.push(pcm);
    }
    if (this.#owed > 0) {
      const before = this.#queue.length;
      this.#queue.shorten(Math.max(0, before - this.#owed));
      this.#owed -= before - this.#queue.length;
    }
  }

  protected override get lateSeconds(): number {
    return this.#owed / sampleRate;
  }

  protected override get hasEnough(): boolean {
    return this.#length >= sampleRate * beginSeconds;
  }

  protected override get isFull(): boolean {
    return this.#length >= sampleRate * soundSeconds;
  }

  protected override get isEmpty(): boolean {
    return this.#length === 0;
  }

  get #length(): number {
    return (this.#silentSamples ?? 0) + this.#queue.length;
  }

  take(target: Int16Array): number {
    const silent = Math.min(this.#silentSamples ?? 0, target.length / 2);
    if (this.#silentSamples !== undefined) this.#silentSamples -= silent;
    const taken = silent + this.#queue.take(target.fill(0, 0, silent * 2).subarray(silent * 2));
    if (this.hadMedia && !this.isDecoded) this.#owed += target.length / 2 - taken;
    this.pace();
    return taken;
  }
}
