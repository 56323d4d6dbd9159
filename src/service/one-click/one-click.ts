import { assertNever } from '../../shared/assert-never.ts';
import type { EncodeFailure } from '../../shared/model/encode-failure.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { EncodeQuality, OneClickState, Source } from '../../shared/model/live.ts';
import type { LogEventOf } from '../../shared/model/log-line.ts';
import type { OneClickFailure } from '../../shared/model/one-click-failure.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { RtmpPublisher } from '../rtmp/rtmp-publisher.ts';
import { encodeArgs } from './encode-args.ts';
import { EncodePace } from './encode-pace.ts';
import { encodeSettings } from './encode-settings.ts';
import type { EncodeTools } from './encode-tools.ts';
import { Encoder } from './encoder.ts';
import { Upload, type UploadOptions, type UploadState } from './upload.ts';

/** What can go wrong in a one-click broadcast. */
export type OneClickTrouble = LogEventOf<'encoder-fell-back' | 'encoder-restarted' | 'ingest-lost' | 'go-live-failed'>;

export interface OneClickOptions {
  source: Source;
  quality: EncodeQuality;
  ffmpegPath: string;
  tools: Pick<EncodeTools, 'clockFontPath' | 'marksCapture'>;
  encoder: EncoderName;
  /** Whether x264 looks some frames ahead, for better pictures that come later. */
  looksAhead: boolean;
  clock: Clock;
  network: UploadOptions['network'];
  /** Opens a connection to the region's ingest; it resolves when the ingest takes media. */
  connect: (signal: AbortSignal) => Promise<RtmpPublisher>;
  /** Something worth a line in the stream's log. */
  onTrouble: (event: OneClickTrouble) => void;
  /** Its ffmpeg failed for good: nothing more will be sent. Called before the ingest connection closes. */
  onFailed?: (failure: EncodeFailure) => void;
}

/** One one-click broadcast from start to end: ffmpeg encodes, our RTMP client publishes. Single use. */
export class OneClick {
  readonly changes = createEventSource<void>();
  readonly #options: OneClickOptions;
  readonly #since: number;
  readonly #encoder: Encoder;
  #upload: Upload | undefined;
  #uploadState: UploadState = { kind: 'connecting' };
  readonly #pace = new EncodePace();
  #ended: Extract<OneClickState, { kind: 'idle' | 'stopping' | 'failed' }> | undefined;

  constructor(options: OneClickOptions) {
    this.#options = options;
    const { source, quality, tools, looksAhead } = options;
    this.#since = options.clock.monotonicMs();
    this.#encoder = new Encoder({
      ffmpegPath: options.ffmpegPath,
      encoder: options.encoder,
      args: (encoder) => encodeArgs(source, encodeSettings[quality], { ...tools, encoder, looksAhead }),
      source: options.source,
      marksCapture: options.tools.marksCapture,
      clock: options.clock,
      // Connects once there is something to send.
      onUnit: (unit) => {
        this.#upload ??= this.#startUpload();
        this.#upload.send(unit);
      },
      onMetadata: (metadata) => {
        this.#upload ??= this.#startUpload();
        this.#upload.announce(metadata);
      },
      onProgress: (progress) => {
        this.#pace.push(options.clock.monotonicMs(), progress);
        this.changes.emit();
      },
      onFallback: (encoder) => {
        this.#pace.restart();
        options.onTrouble({ code: 'encoder-fell-back', encoder });
      },
      onRestart: ({ failure }) => {
        this.#pace.restart();
        options.onTrouble({ code: 'encoder-restarted', failure });
      },
      onFailed: ({ failure, stderr }) => {
        if (this.#ended === undefined) options.onFailed?.(failure);
        this.#fail(failure, stderr);
      },
    });
  }

  get state(): OneClickState {
    if (this.#ended) return this.#ended;
    const { source, quality, clock } = this.#options;
    const common = { source, quality, since: timeOfDay(clock, this.#since) };
    const upload = this.#uploadState;
    switch (upload.kind) {
      case 'connecting':
        return { kind: 'starting', ...common };
      case 'retrying':
        return {
          kind: 'retrying',
          ...common,
          attempt: upload.attempt,
          retryAt: timeOfDay(clock, upload.retryAtMs),
          failure: upload.failure,
        };
      case 'sending':
        return {
          kind: 'running',
          ...common,
          encodeFps: this.#pace.fps,
          encodeSpeed: this.#pace.speed,
          queueMs: this.#upload?.queuedMs ?? 0,
          inFlightBytes: this.#upload?.inFlightBytes,
          droppedFrames: this.#upload?.droppedFrames ?? 0,
        };
      default:
        return assertNever(upload);
    }
  }

  reconnectNow(): void {
    this.#upload?.reconnectNow();
  }

  /** Ends the broadcast within 5 s, in any state; may be called twice. */
  async stop(): Promise<void> {
    if (this.#ended?.kind === 'failed') return this.#closeParts();
    if (this.#ended?.kind === 'idle') return;
    this.#ended = { kind: 'stopping' };
    this.changes.emit();
    await this.#closeParts();
    this.#ended = { kind: 'idle' };
    this.changes.emit();
  }

  #startUpload(): Upload {
    const { connect, clock, network, onTrouble } = this.#options;
    return new Upload({
      connect,
      clock,
      network,
      onState: (state) => {
        if (state.kind === 'retrying' && state.attempt === 1) onTrouble({ code: 'ingest-lost', failure: state.failure });
        this.#uploadState = state;
        this.changes.emit();
      },
      onRefused: (failure) => this.#fail(failure, []),
    });
  }

  #fail(failure: OneClickFailure, stderr: string[]): void {
    if (this.#ended) return;
    const { clock, source, onTrouble } = this.#options;
    this.#ended = { kind: 'failed', source, at: clock.now(), failure, stderr };
    onTrouble({ code: 'go-live-failed', failure });
    this.changes.emit();
    this.#closeParts().catch((error: unknown) => reportFault(error, 'closing a one-click broadcast that failed'));
  }

  async #closeParts(): Promise<void> {
    await Promise.all([this.#upload?.close(), this.#encoder.stop()]);
  }
}
