import { keepRunning } from '../../shared/keep-running.ts';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import { type DropReport, FrameDropper } from '../bitrate/frame-dropper.ts';
import { MediaMeter } from '../health/media-meter.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault } from '../lib/faults.ts';
import type { NetworkWatch } from '../lib/network-watch.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';
import { isKeyframe, type MediaUnit, sizeOf, trackOf } from '../media/media-unit.ts';
import type { StreamMetadata } from '../media/stream-metadata.ts';
import type { Clock } from '../ports.ts';
import type { MediaPublisher, PublicationEnd, WayMeasure } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { wasSteady } from '../publishing/steady-connection.ts';
import { ConnectionStart } from './connection-start.ts';

/** An attempt younger than this is as good as a new one. */
const freshMs = 1_000;

/** `retryAtMs` is of `Clock.monotonicMs`. */
export type UploadState =
  | { kind: 'connecting' }
  | { kind: 'sending' }
  | { kind: 'retrying'; attempt: number; retryAtMs: number; failure: IngestFailure };

export interface UploadOptions {
  connect: (signal: AbortSignal) => Promise<MediaPublisher>;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Reports when this computer's network is back; the upload listens only while it has no connection. */
  network: Pick<NetworkWatch, 'onReturn'>;
  onState: (state: UploadState) => void;
  /** The ingest refused us with a reason: there is no point in retrying. */
  onRefused: (failure: IngestFailure) => void;
}

/** How a connection ended; `renewed`: it was given up before it was open, for a new one at once. */
type ConnectionEnd = PublicationEnd | { kind: 'renewed'; failure: IngestFailure };

/**
 * Sends units to an ingest, and reconnects when the connection is lost: at once, then after growing pauses, until it is closed. A pause
 * ends early when the user asks for it or the network is back. The encoder keeps running meanwhile; a new connection starts with the
 * current GOP.
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  readonly #start = new ConnectionStart();
  /** The connection started where frames are missing: no video is sent before the next keyframe. */
  #awaitsKeyframe = false;
  #publisher: MediaPublisher | undefined;
  readonly #dropper = new FrameDropper();
  #droppedBefore = 0;
  #sent = new MediaMeter();
  /** Retries since the last steady connection. */
  #attempt = 0;
  /** The connection that is being opened, and when that began. */
  #pending: { abort: AbortController; sinceMs: number } | undefined;
  /** When the newest connection was open; undefined if it never was. */
  #openSinceMs: number | undefined;
  /** Why there is no connection. */
  #failure: IngestFailure | undefined;
  #stopListening = () => {};
  readonly #retryNow = createEventSource<void>();

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#running = keepRunning((signal) => this.#connectOnce(signal), {
      signal: this.#abort.signal,
      nextAfterMs: (end) => this.#planNext(end),
      onWake: this.#retryNow.on,
    }).catch((error: unknown) => reportFault(error, 'an upload'));
  }

  /** How well the way to the ingest carries the current media; undefined without a connection. */
  measureWay(): WayMeasure | undefined {
    return this.#publisher?.measureWay();
  }

  /** The frames dropped in a row since the last call. */
  takeDropReport(): DropReport | undefined {
    return this.#dropper.takeReport();
  }

  /** Bytes sent that the ingest doesn't have yet; undefined if unknown. */
  get inFlightBytes(): number | undefined {
    return this.#publisher?.inFlightBytes;
  }

  /** Frames dropped because the ingest took them too slowly. */
  get droppedFrames(): number {
    return this.#droppedBefore + (this.#publisher?.droppedFrames ?? 0) + this.#dropper.droppedFrames;
  }

  /** Announces the stream's metadata, on later connections too. */
  announce(metadata: StreamMetadata): void {
    this.#start.announce(metadata);
    this.#publisher?.announce(metadata, 0);
  }

  send(unit: MediaUnit): void {
    const now = this.#options.clock.monotonicMs();
    this.#start.push(unit, now);
    if (isKeyframe(unit)) this.#awaitsKeyframe = false;
    if (trackOf(unit) === 'video' && this.#awaitsKeyframe) return;
    if (this.#publisher === undefined || !this.#isTaken(unit, this.#publisher)) return;
    this.#publisher.send(unit);
    this.#sent.addBytes(sizeOf(unit), now);
  }

  /** Bits per second of media sent over the last 5 s; undefined until a connection has lasted a second. */
  get sentBps(): number | undefined {
    return this.#sent.rates(this.#options.clock.monotonicMs()).bitrateBps;
  }

  /** Whether there is room for a unit: on a way that is too slow, frames are dropped before media piles up on it. */
  #isTaken(unit: MediaUnit, publisher: MediaPublisher): boolean {
    if (unit.type !== 'video') return true;
    const { config, data } = unit;
    const isDisposable = config.format.isDisposable?.(data, config) === true;
    return this.#dropper.take({ isKeyframe: isKeyframe(unit), isDisposable }, publisher.measureWay().waitMs);
  }

  /** Ends the pause before the next attempt, or replaces an attempt that has not succeeded yet: it may wait for a lost packet. */
  reconnectNow(): void {
    if (this.#failure === undefined) return;
    this.#pending?.abort.abort();
    this.#retryNow.emit();
  }

  /** Unpublishes and stops; may be called twice. Returns false only if a connected ingest didn't hear. */
  async close(): Promise<boolean> {
    this.#abort.abort();
    this.#stopListening();
    const isHeard = await this.#publisher?.close();
    await this.#running;
    return isHeard ?? true;
  }

  /** One connection from start to end. */
  async #connectOnce(signal: AbortSignal): Promise<ConnectionEnd> {
    const { connect, clock, onState } = this.#options;
    const abort = new AbortController();
    this.#pending = { abort, sinceMs: clock.monotonicMs() };
    this.#openSinceMs = undefined;
    try {
      const publisher = await connect(AbortSignal.any([signal, abort.signal]));
      this.#pending = undefined;
      if (signal.aborted) {
        await publisher.close();
        return { kind: 'closed-by-us' };
      }
      this.#sent = new MediaMeter();
      this.#awaitsKeyframe = this.#start.sendTo(publisher, clock.monotonicMs());
      this.#dropper.begin();
      this.#publisher = publisher;
      this.#openSinceMs = clock.monotonicMs();
      this.#failure = undefined;
      this.#stopListening();
      onState({ kind: 'sending' });
      const end = await publisher.closed;
      this.#publisher = undefined;
      this.#droppedBefore += publisher.droppedFrames;
      return end;
    } catch (error) {
      this.#pending = undefined;
      const failure = this.#failure;
      return abort.signal.aborted && failure !== undefined ? { kind: 'renewed', failure } : explainFailure(error);
    }
  }

  /** Decides what follows the end of a connection: the milliseconds until the next attempt, or undefined for none. */
  #planNext(end: ConnectionEnd): number | undefined {
    const { clock, onState, onRefused } = this.#options;
    if (end.kind === 'closed-by-us') return undefined;
    if (end.kind === 'refused') {
      this.#stopListening();
      onRefused(end.failure);
      return undefined;
    }
    const { failure } = end;
    const now = clock.monotonicMs();
    // It is retried at once.
    const isNewProblem = this.#openSinceMs !== undefined && wasSteady(this.#openSinceMs, now);
    this.#attempt = isNewProblem ? 1 : this.#attempt + 1;
    const pauseMs = end.kind === 'renewed' ? 0 : retryPauseMs(this.#attempt);
    if (this.#failure === undefined) this.#stopListening = this.#options.network.onReturn(() => this.#onNetworkReturn());
    this.#failure = failure;
    onState({ kind: 'retrying', attempt: this.#attempt, retryAtMs: now + pauseMs, failure });
    return pauseMs;
  }

  /** An attempt that began as the network returned is left alone: page and service may both report it. */
  #onNetworkReturn(): void {
    const isFresh = this.#pending !== undefined && this.#options.clock.monotonicMs() - this.#pending.sinceMs < freshMs;
    if (!isFresh) this.reconnectNow();
  }
}

/** Why a connection did not start. */
function explainFailure(error: unknown): PublicationEnd {
  if (error instanceof PublishError) return { kind: error.kind === 'refused' ? 'refused' : 'lost', failure: error.failure };
  return { kind: 'lost', failure: { code: 'said', text: sentenceOf(error) } };
}
