import { keepRunning } from '../../shared/keep-running.ts';
import type { SourcePreview } from '../../shared/model/capture.ts';
import type { Source } from '../../shared/model/source.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { Clock } from '../ports.ts';
import { Feed } from './feed.ts';
import type { FeedFormat } from './feed-format.ts';
import { JpegReader } from './jpeg-reader.ts';
import type { CaptureTools } from './parts.ts';
import { PreviewMeter } from './preview-meter.ts';

/** Enough to recognise the source. */
const previewFormat: FeedFormat = { width: 480, height: 270, fps: 10 };

/** How long until an ffmpeg that has died is replaced. */
const restartMs = 500;

/**
 * The argv that makes JPEGs of a feed's pictures, each as soon as it comes. JPEGs have SD's colours (BT.601) in full
 * range (JFIF 1.02); a feed's colours are read as HD's, as players do.
 */
function jpegArgs(): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostats', '-nostdin'],
    ...['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0', '-map', '0:v:0'],
    ...['-vf', 'scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc', '-pix_fmt', 'yuvj420p'],
    ...['-c:v', 'mjpeg', '-q:v', '5', '-flush_packets', '1', '-f', 'image2pipe', 'pipe:1'],
  ];
}

/** The preview of one source before it goes live: a small feed of its own. Single use. */
export class RunningPreview {
  readonly changes = createEventSource<void>();
  readonly #feed: Feed;
  readonly #ffmpegPath: string;
  readonly #clock: Clock;
  /** The source that was asked for last. */
  #source: Source;
  #jpeg: string | undefined;
  #showing: Promise<void> | undefined;
  #meter: PreviewMeter | undefined;
  readonly #closed = new AbortController();

  constructor(source: Source, tools: CaptureTools, clock: Clock) {
    this.#ffmpegPath = tools.ffmpegPath;
    this.#clock = clock;
    this.#source = source;
    this.#feed = new Feed({ source, format: previewFormat, gopFrames: 1, tools, clock });
    this.#feed.awayChanges.on(() => this.changes.emit());
    this.#start().catch((error: unknown) => reportFault(error, 'starting a preview'));
  }

  /** Aborts when it closes. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get current(): SourcePreview {
    const meter = this.#meter?.read();
    return {
      ...(this.#jpeg !== undefined && { jpeg: this.#jpeg }),
      ...(meter !== undefined && { meter }),
      inputs: this.#feed.levels,
      // Parts of the old source that are away say nothing about the new one.
      away: this.#feed.source === this.#source ? this.#feed.away : [],
    };
  }

  /** Previews another source; parts that both sources capture keep running. */
  async change(source: Source): Promise<void> {
    this.#source = source;
    await this.#feed.change(source);
    this.changes.emit();
  }

  /** Ends its captures. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all([this.#feed.close(), this.#showing, this.#meter?.close()]);
  }

  async #start(): Promise<void> {
    await this.#feed.start();
    if (this.closed.aborted) return;
    this.#showing = keepRunning(() => this.#show(), { signal: this.closed, nextAfterMs: () => restartMs }).catch(
      (error: unknown) => reportFault(error, 'showing a preview'),
    );
    this.#meter = new PreviewMeter({
      feed: this.#feed,
      ffmpegPath: this.#ffmpegPath,
      clock: this.#clock,
      onMeasured: () => this.changes.emit(),
    });
    this.changes.emit();
  }

  /** Makes JPEGs until its ffmpeg or the preview ends. */
  async #show(): Promise<void> {
    const jpegs = new JpegReader();
    const process = startFfmpeg(this.#ffmpegPath, jpegArgs(), {
      onOutput: [(bytes) => runHarmlessly(() => this.#read(jpegs, bytes), 'reading a preview')],
      onProgress() {},
    });
    const tap = this.#feed.tap({ tracks: { video: true, audio: false }, input: process.input });
    const finish = () => {
      tap.close();
      runHarmlessly(() => process.finish(), 'ending a preview');
    };
    this.closed.addEventListener('abort', finish);
    await process.ended;
    this.closed.removeEventListener('abort', finish);
    tap.close();
  }

  #read(jpegs: JpegReader, bytes: Buffer): void {
    const jpeg = jpegs.push(bytes).at(-1);
    if (jpeg === undefined || this.closed.aborted) return;
    this.#jpeg = jpeg.toString('base64');
    this.#meter?.noteFed(1000 / previewFormat.fps);
    this.changes.emit();
  }
}
