import type { SourcePreview } from '../../shared/model/capture.ts';
import type { Source } from '../../shared/model/source.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { type FfmpegProcess, startFfmpeg } from '../media-tools/ffmpeg-process.ts';
import type { Clock } from '../ports.ts';
import { Feed } from './feed.ts';
import type { FeedFormat } from './feed-format.ts';
import type { FeedTap } from './feed-tap.ts';
import { JpegReader } from './jpeg-reader.ts';
import type { CaptureTools } from './parts.ts';
import { PreviewMeter } from './preview-meter.ts';

/** Enough to see what it is. */
export const previewFormat: FeedFormat = { width: 480, height: 270, fps: 10 };

/** The argv that makes JPEGs of a feed's pictures, each as soon as it comes. */
export function jpegArgs(): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostats', '-nostdin'],
    ...['-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0', '-map', '0:v:0'],
    ...['-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-q:v', '5', '-flush_packets', '1', '-f', 'image2pipe', 'pipe:1'],
  ];
}

/** The preview of one source before it goes live: a small feed of its own. Single use. */
export class RunningPreview {
  readonly changes = createEventSource<void>();
  readonly #feed: Feed;
  readonly #ffmpegPath: string;
  readonly #clock: Clock;
  readonly #jpegs = new JpegReader();
  #jpeg: string | undefined;
  #tap: FeedTap | undefined;
  #process: FfmpegProcess | undefined;
  #meter: PreviewMeter | undefined;
  readonly #closed = new AbortController();

  constructor(source: Source, tools: CaptureTools, clock: Clock) {
    this.#ffmpegPath = tools.ffmpegPath;
    this.#clock = clock;
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
      away: this.#feed.away,
    };
  }

  /** Previews another source; what both capture keeps running. */
  async change(source: Source): Promise<void> {
    await this.#feed.change(source);
    this.changes.emit();
  }

  /** Ends its captures. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#tap?.close();
    await Promise.all([this.#feed.close(), this.#process?.finish(), this.#meter?.close()]);
  }

  async #start(): Promise<void> {
    await this.#feed.start();
    if (this.closed.aborted) return;
    this.#process = startFfmpeg(this.#ffmpegPath, jpegArgs(), {
      onOutput: [(bytes) => runHarmlessly(() => this.#read(bytes), 'reading a preview')],
      onProgress() {},
    });
    this.#tap = this.#feed.tap({ tracks: { video: true, audio: false }, input: this.#process.input });
    this.#meter = new PreviewMeter({
      feed: this.#feed,
      ffmpegPath: this.#ffmpegPath,
      clock: this.#clock,
      onMeasured: () => this.changes.emit(),
    });
    this.changes.emit();
  }

  #read(bytes: Buffer): void {
    const jpeg = this.#jpegs.push(bytes).at(-1);
    if (jpeg === undefined || this.closed.aborted) return;
    this.#jpeg = jpeg.toString('base64');
    this.#meter?.noteFed(1000 / previewFormat.fps);
    this.changes.emit();
  }
}
