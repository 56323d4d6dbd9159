import type { CaptureFault } from '../../shared/model/capture.ts';
import { capturePictureArgs, coverArgs, keepTracksTogether, timedSoundArgs } from './capture-run.ts';
import type { FeedFormat } from './feed-format.ts';
import { fileInput } from './file-input.ts';
import { PacedPictures, PacedSound } from './paced-run.ts';

/**
 * The pause after a file without media, before the next one or the same one again: all of them may be broken. After a file that was cut
 * short, the pause counts from when that file was opened.
 */
const brokenPauseMs = 1_000;
/** The shortest time between opening two files: very short files would start one ffmpeg after another. */
const openPauseMs = 500;

export interface PlayingFileOptions {
  ffmpegPath: string;
  /** The pictures' format, if they are wanted. */
  format: FeedFormat | undefined;
}

/** Changes the argv for one track. */
type ChangeArgs = (args: readonly string[]) => readonly string[];

/** Starts the ffmpeg of each track; of the pictures only if they are wanted. */
interface TrackStarters {
  pictures: (change: ChangeArgs) => PacedPictures | undefined;
  sound: (change: ChangeArgs) => PacedSound;
}

/** One file in play: each wanted track has its own ffmpeg, so that neither waits for the other. */
export class PlayingFile {
  pictures: PacedPictures | undefined;
  sound: PacedSound;
  /** Its only picture is the cover of its music, which stays as long as that plays. */
  hasCover = false;
  #isClosed = false;
  readonly #openedAtMs = performance.now();
  readonly #startAtSeconds: number;
  /** Its tracks can be taken. */
  isReady = false;
  readonly settled: Promise<void>;

  constructor(path: string, startAtSeconds: number, options: PlayingFileOptions) {
    const { ffmpegPath, format } = options;
    this.#startAtSeconds = startAtSeconds;
    const input = [...(startAtSeconds > 0 ? ['-ss', String(startAtSeconds)] : []), ...fileInput(path)];
    // The two fields of interlaced pictures, as of TV and older camcorders, are from different moments: together they would show as combs.
    const filters = ['yadif=deint=interlaced', `fps=${format?.fps}`];
    const start: TrackStarters = {
      pictures: (change) =>
        format &&
        new PacedPictures(ffmpegPath, change(capturePictureArgs(input, format, { filters, toHdColours: 'rgb' })), format),
      sound: (change) => new PacedSound(ffmpegPath, change(timedSoundArgs(input))),
    };
    this.pictures = start.pictures((args) => keepTracksTogether(args, path));
    this.sound = start.sound((args) => keepTracksTogether(args, path));
    this.settled = this.#settle(path, options, start);
  }

  get #tracks(): (PacedPictures | PacedSound)[] {
    return [...(this.pictures ? [this.pictures] : []), this.sound];
  }

  async #settle(path: string, { ffmpegPath, format }: PlayingFileOptions, start: TrackStarters): Promise<void> {
    await Promise.all(this.#tracks.map(({ settled }) => settled));
    if (!this.#isClosed) {
      // Without the other track, there is nothing to stay in sync with.
      const readAlone: ChangeArgs = (args) => args;
      if (this.pictures?.lacksOther) this.pictures = start.pictures(readAlone);
      if (this.sound.lacksOther) this.sound = start.sound(readAlone);
      await Promise.all(this.#tracks.map(({ settled }) => settled));
    }
    // A cover has no duration, so the filter for the frame rate drops it, and it comes before any start time.
    const mayBeCover = this.pictures?.isBlank && (this.#startAtSeconds === 0 || this.sound.hadMedia);
    if (format && mayBeCover && !this.#isClosed) await this.#openCover(ffmpegPath, coverArgs(path, format), format);
    this.isReady = true;
  }

  async #openCover(ffmpegPath: string, args: readonly string[], format: FeedFormat): Promise<void> {
    const cover = new PacedPictures(ffmpegPath, args, format);
    const before = this.pictures;
    this.pictures = cover;
    await cover.settled;
    this.hasCover = cover.hadMedia;
    // Without a cover, keep the pictures, which know the file's fault.
    if (!this.hasCover) this.pictures = before;
  }

  get isDecoded(): boolean {
    return this.#tracks.every((track) => track.isDecoded);
  }

  get isOver(): boolean {
    return this.#tracks.every((track) => track.isOver);
  }

  get hadMedia(): boolean {
    return this.#tracks.some((track) => track.hadMedia);
  }

  /** There was something, but the rest of it couldn't be read. */
  get isCutShort(): boolean {
    return this.#tracks.some((track) => track.isCutShort);
  }

  /** How long the next file has to wait. */
  get pauseMs(): number {
    if (!this.hadMedia) return brokenPauseMs;
    const sinceOpenedMs = this.isCutShort ? brokenPauseMs : openPauseMs;
    return Math.max(0, this.#openedAtMs + sinceOpenedMs - performance.now());
  }

  get isStuck(): boolean {
    return this.#tracks.some((track) => track.isStuck);
  }

  /** Why its picture is missing, or its sound if it has to have no picture. */
  get fault(): CaptureFault | undefined {
    const track = this.pictures ?? this.sound;
    return this.#startAtSeconds > 0 && track.isBlank ? { code: 'starts-late' } : faultOf(track);
  }

  /** Why its sound is missing. */
  get soundFault(): CaptureFault | undefined {
    return this.#startAtSeconds > 0 && this.sound.isBlank ? { code: 'track-ended' } : faultOf(this.sound);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#tracks.map((track) => track.close()));
  }
}

/** The fault of a file's track. A slow generator, such as the test picture, isn't a fault: the computer is busy. */
function faultOf(track: PacedPictures | PacedSound): CaptureFault | undefined {
  return track.fault ?? (track.isSlow ? { code: 'too-slow' } : undefined);
}
