import { keepRunning } from '../../shared/keep-running.ts';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';
import { type ConfigUnit, isKeyframe, type MediaUnit, type TrackKind, trackOf } from '../media/media-unit.ts';
import type { Clock } from '../ports.ts';
import { RtmpPublishError, type RtmpPublisher, type RtmpPublisherEnd } from '../rtmp/rtmp-publisher.ts';
import { formatMetadata, type StreamMetadata } from '../rtmp/stream-metadata.ts';
import { RunningGop } from './running-gop.ts';

/** How long a connection must have lasted for its loss to be retried at once. */
const steadyMs = 10_000;

/** `retryAtMs` is of `Clock.monotonicMs`. */
export type UploadState =
  | { kind: 'connecting' }
  | { kind: 'sending' }
  | { kind: 'retrying'; attempt: number; retryAtMs: number; failure: IngestFailure };

export interface UploadOptions {
  connect: (signal: AbortSignal) => Promise<RtmpPublisher>;
  clock: Pick<Clock, 'monotonicMs'>;
  onState: (state: UploadState) => void;
  /** The ingest refused us with a reason: there is no point in retrying. */
  onRefused: (failure: IngestFailure) => void;
}

/**
 * Sends units to an ingest, and reconnects when the connection is lost: at once, then after growing pauses, until it is closed. The
 * encoder keeps running meanwhile; a new connection starts with the current GOP.
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #abort = new AbortController();
  readonly #configs: Partial<Record<TrackKind, ConfigUnit>> = {};
  #metadata: StreamMetadata | undefined;
  readonly #running: Promise<void>;
  readonly #gop = new RunningGop();
  /** The connection started where frames are missing: no video is sent before the next keyframe. */
  #awaitsKeyframe = false;
  #publisher: RtmpPublisher | undefined;
  #droppedBefore = 0;
  /** Retries since the last steady connection. */
  #attempt = 0;
  /** When the newest connection was begun. */
  #startedAtMs = 0;
  readonly #retryNow = createEventSource<void>();

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#running = keepRunning((signal) => this.#connectOnce(signal), {
      signal: this.#abort.signal,
      nextAfterMs: (end) => this.#planNext(end),
      onWake: this.#retryNow.on,
    }).catch((error: unknown) => reportFault(error, 'an upload'));
  }

  /** Media waiting to be sent, in milliseconds. */
  get queuedMs(): number {
    return this.#publisher?.queuedMs ?? 0;
  }

  /** Bytes sent that the ingest doesn't have yet; undefined if unknown. */
  get inFlightBytes(): number | undefined {
    return this.#publisher?.inFlightBytes;
  }

  /** Frames dropped because the ingest took them too slowly. */
  get droppedFrames(): number {
    return this.#droppedBefore + (this.#publisher?.droppedFrames ?? 0);
  }

  /** Announces the stream's metadata, on later connections too. */
  announce(metadata: StreamMetadata): void {
    this.#metadata = metadata;
    this.#publisher?.send({ kind: 'script', timestampMs: 0, body: formatMetadata(metadata) });
  }

  send(unit: MediaUnit): void {
    if (unit.type === 'config') this.#configs[unit.config.track] = unit;
    else this.#gop.push(unit);
    if (isKeyframe(unit)) this.#awaitsKeyframe = false;
    if (trackOf(unit) !== 'video' || !this.#awaitsKeyframe) this.#publisher?.send(formatUnitTag(unit));
  }

  /** Ends the pause before the next attempt. */
  reconnectNow(): void {
    this.#retryNow.emit();
  }

  /** Unpublishes and stops; may be called twice. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#publisher?.close();
    await this.#running;
  }

  /** One connection from start to end. */
  async #connectOnce(signal: AbortSignal): Promise<RtmpPublisherEnd> {
    const { connect, clock, onState } = this.#options;
    this.#startedAtMs = clock.monotonicMs();
    try {
      const publisher = await connect(signal);
      if (signal.aborted) {
        await publisher.close();
        return { kind: 'closed-by-us' };
      }
      this.#sendCurrentGop(publisher);
      this.#publisher = publisher;
      onState({ kind: 'sending' });
      const end = await publisher.closed;
      this.#publisher = undefined;
      this.#droppedBefore += publisher.droppedFrames;
      return end;
    } catch (error) {
      return explainFailure(error);
    }
  }

  /** What follows the end of a connection: how long until the next attempt, or none. */
  #planNext(end: RtmpPublisherEnd): number | undefined {
    const { clock, onState, onRefused } = this.#options;
    if (end.kind === 'closed-by-us') return undefined;
    if (end.kind === 'refused') {
      onRefused(end.failure);
      return undefined;
    }
    // A connection that lasted was a good one: its loss is a new problem, and retried at once.
    const wasSteady = clock.monotonicMs() - this.#startedAtMs > steadyMs;
    this.#attempt = wasSteady ? 1 : this.#attempt + 1;
    const pauseMs = retryPauseMs(this.#attempt);
    onState({ kind: 'retrying', attempt: this.#attempt, retryAtMs: clock.monotonicMs() + pauseMs, failure: end.failure });
    return pauseMs;
  }

  /** Starts a connection with the metadata, the configurations and the media since the newest keyframe. */
  #sendCurrentGop(publisher: RtmpPublisher): void {
    const { units, lacksFrames } = this.#gop;
    const [first] = units;
    const tags = units.map((unit) => formatUnitTag(unit));
    const timestampMs = tags[0]?.timestampMs ?? 0;
    if (this.#metadata) publisher.send({ kind: 'script', timestampMs, body: formatMetadata(this.#metadata) });
    for (const track of ['video', 'audio'] as const) {
      const config = this.#configs[track];
      if (config) publisher.send(formatUnitTag({ ...config, dts: first?.dts ?? config.dts }));
    }
    for (const tag of tags) publisher.send(tag);
    this.#awaitsKeyframe = lacksFrames;
  }
}

/** Why a connection did not start. */
function explainFailure(error: unknown): RtmpPublisherEnd {
  if (error instanceof RtmpPublishError) return { kind: error.kind === 'refused' ? 'refused' : 'lost', failure: error.failure };
  return { kind: 'lost', failure: { code: 'said', text: error instanceof Error ? error.message : String(error) } };
}
