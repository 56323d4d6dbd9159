import { isDeepStrictEqual } from 'node:util';
import type { AwayPart, SoundLevels } from '../../shared/model/capture.ts';
import type { Source } from '../../shared/model/source.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import type { Clock } from '../ports.ts';
import { type FeedFormat, makeBlack, pictureBytes, samplesBefore } from './feed-format.ts';
import { FeedTap, type FeedTapOptions } from './feed-tap.ts';
import { FramePool, lastingFrame, type PooledFrame } from './frame-pool.ts';
import { drawInset, placeInset } from './i420.ts';
import { Mixer } from './mixer.ts';
import type { CaptureTools } from './parts.ts';
import { SourceParts } from './source-parts.ts';

/** How long a source may take for its first media: a camera takes a second. */
const settleMs = 4_000;
/** After a longer pause (the computer slept or stood still), the frames in between are left out. */
const maxLateSeconds = 1;
/** How many frames' capture times are kept: encoders are never that far behind. */
const knownSeconds = 30;

export interface FeedOptions {
  source: Source;
  format: FeedFormat;
  /** Frames from keyframe to keyframe, from frame 0 on: another source begins at such a frame. */
  gopFrames: number;
  tools: CaptureTools;
  clock: Clock;
}

/**
 * A source at a constant frame rate: frame n is due n/fps seconds after the start, with the sound from there to the next frame.
 * While a part is away, there is black or silence in its place. Any number of taps read it. Single use.
 */
export class Feed {
  /** Emits the parts that are away when they change. */
  readonly awayChanges = createEventSource<AwayPart[]>();
  /** Emits after a pause of this process: no tap gets the frames of that time. */
  readonly pauses = createEventSource<void>();
  readonly format: FeedFormat;
  readonly #options: FeedOptions;
  readonly #black: PooledFrame;
  readonly #composed: FramePool;
  readonly #mixer = new Mixer();
  readonly #taps = new Set<FeedTap>();
  readonly #capturedAt = new Map<number, number>();
  #parts: SourceParts;
  #next: { parts: SourceParts; isSettled: boolean; done: (isOn: boolean) => void } | undefined;
  #away: AwayPart[] = [];
  #timer: NodeJS.Timeout | undefined;
  #startMs = 0;
  #frame = 0;
  #isClosed = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.format = options.format;
    this.#black = lastingFrame(makeBlack(options.format));
    this.#composed = new FramePool(pictureBytes(options.format));
    this.#parts = new SourceParts(options.source, options.format, options.tools);
  }

  /** The source that is being captured. */
  get source(): Source {
    return this.#parts.source;
  }

  get away(): AwayPart[] {
    return this.#away;
  }

  /** ffmpeg's log about the picture's files. */
  get pictureLog(): string[] {
    return this.#parts.pictureLog;
  }

  /** The levels of each sound in the mix: left and right. */
  get levels(): SoundLevels[] {
    return this.#mixer.levels;
  }

  /** Begins with frame 0 once every part has something or is known to be away, at the latest after 4 s. */
  async start(): Promise<void> {
    await this.#settle(this.#parts);
    if (this.#isClosed) return;
    this.#mix(this.#parts);
    this.#away = this.#parts.away;
    this.#startMs = this.#options.clock.monotonicMs();
    // Not synchronously, so that a caller that awaits this can begin with frame 0.
    this.#timer = setTimeout(this.#tick, 0);
  }

  /** Gives the feed to an encoder, from the next keyframe on. */
  tap(options: FeedTapOptions): FeedTap {
    const tap = new FeedTap(this.#options, options, () => this.#taps.delete(tap));
    this.#taps.add(tap);
    return tap;
  }

  /** When a frame was taken from its source, in epoch milliseconds; known for half a minute. */
  capturedAt(frame: number): number | undefined {
    return this.#capturedAt.get(frame);
  }

  /**
   * Captures another source from the next keyframe on; parts that both sources capture keep running. Resolves with true once the new source
   * is on, with false if the change was withdrawn, or overtaken by another change or by the feed's end.
   *
   * @param signal withdraws the change until the source is on
   * @param accept called once the source has media, with its parts that are away and that the old source doesn't have;
   *   if it throws, the old source stays
   */
  async change(source: Source, accept: (away: AwayPart[]) => void = () => {}, signal?: AbortSignal): Promise<boolean> {
    // Too late: nobody would close the captures that it opens.
    if (this.#isClosed || signal?.aborted) return false;
    const { format, tools } = this.#options;
    const before = this.#next;
    const parts = new SourceParts(source, format, tools, this.#parts);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const next = { parts, isSettled: false, done: resolve };
    this.#next = next;
    if (before) {
      before.done(false);
      this.#drop(before.parts, parts);
    }
    const withdraw = () => {
      if (this.#next !== next) return;
      this.#next = undefined;
      this.#drop(parts);
      resolve(false);
    };
    signal?.addEventListener('abort', withdraw);
    promise.finally(() => signal?.removeEventListener('abort', withdraw));
    await this.#settle(parts);
    // Don't accept a source once the feed is closed.
    if (this.#next === next && !this.#isClosed) {
      try {
        accept(parts.awayBeside(this.#parts));
      } catch (error) {
        this.#next = undefined;
        this.#drop(parts);
        throw error;
      }
    }
    next.isSettled = true;
    return promise;
  }

  /** Ends all captures; may be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#next?.done(false);
    await Promise.all([this.#parts.close(), this.#next?.parts.close(this.#parts)]);
  }

  async #settle(parts: SourceParts): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, settleMs);
    });
    await Promise.race([parts.settled, limit]);
    clearTimeout(timer);
  }

  /** Gives out every frame that is due, and waits for the next. */
  #tick = (): void => {
    const { clock } = this.#options;
    const { fps } = this.format;
    const due = Math.floor(((clock.monotonicMs() - this.#startMs) * fps) / 1000);
    if (due - this.#frame > maxLateSeconds * fps) {
      this.#frame = due;
      this.pauses.emit();
    }
    for (; this.#frame <= due; this.#frame += 1) this.#give(this.#frame);
    const waitMs = this.#startMs + (this.#frame * 1000) / fps - clock.monotonicMs();
    this.#timer = setTimeout(this.#tick, Math.max(1, Math.ceil(waitMs)));
  };

  #give(frame: number): void {
    if (this.#next?.isSettled && frame % this.#options.gopFrames === 0) this.#cut();
    const { fps } = this.format;
    this.#capturedAt.set(frame, this.#options.clock.now());
    this.#capturedAt.delete(frame - knownSeconds * fps);
    const picture = this.#compose();
    const sound = this.#mixer.mix(samplesBefore(frame + 1, fps) - samplesBefore(frame, fps));
    for (const tap of [...this.#taps]) tap.push({ frame, picture, sound });
    picture.release();
    const { away } = this.#parts;
    if (isDeepStrictEqual(away, this.#away)) return;
    this.#away = away;
    this.awayChanges.emit(away);
  }

  #compose(): PooledFrame {
    const { main, inset, source } = this.#parts;
    const picture = main.take() ?? this.#black;
    const small = inset?.take();
    if (small === undefined || source.picture.inset === undefined) return picture;
    const composed = this.#composed.take();
    picture.bytes.copy(composed.bytes);
    picture.release();
    drawInset(small.bytes, placeInset(source.picture.inset, this.format), composed.bytes, this.format);
    small.release();
    return composed;
  }

  #cut(): void {
    const next = this.#next;
    if (next === undefined) return;
    const before = this.#parts;
    this.#parts = next.parts;
    this.#next = undefined;
    this.#mix(next.parts);
    runHarmlessly(() => before.close(next.parts), 'closing the captures of the source before');
    next.done(true);
  }

  /** Closes the parts that an overtaken change had opened. */
  #drop(parts: SourceParts, ...used: SourceParts[]): void {
    parts
      .close(this.#parts, ...used)
      .catch((error: unknown) => reportFault(error, 'closing captures that are not needed any more'));
  }

  #mix({ sounds, source }: SourceParts): void {
    this.#mixer.set(sounds, source.sound.limits);
  }
}
