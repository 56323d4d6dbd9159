import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import { formatUnitTag } from '../flv/unit-tag.ts';
import { reportFault } from '../lib/faults.ts';
import { retryPauseMs } from '../lib/retry-pause.ts';
import { type ConfigUnit, isKeyframe, type MediaUnit, type TrackKind, trackOf } from '../media/media-unit.ts';
import type { Clock } from '../ports.ts';
import { RtmpPublishError, type RtmpPublisher } from '../rtmp/rtmp-publisher.ts';
import { formatMetadata, type StreamMetadata } from '../rtmp/stream-metadata.ts';
import { RunningGop } from './running-gop.ts';

/** How long a connection must have held for the next retry to come at once. */
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
  /** The ingest sent us away with a reason; there is no use in trying again. */
  onRefused: (failure: IngestFailure) => void;
}

/**
 * Sends units to an ingest, and gets back on by itself when the connection falls: at once, then with growing pauses, for as
 * long as it is not closed. The encoder runs on meanwhile; a new connection begins with the running GOP.
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #abort = new AbortController();
  readonly #configs: Partial<Record<TrackKind, ConfigUnit>> = {};
  #metadata: StreamMetadata | undefined;
  readonly #running: Promise<void>;
  readonly #gop = new RunningGop();
  /** The connection began where pictures are missing: none is sent before the next keyframe. */
  #awaitsKeyframe = false;
  #publisher: RtmpPublisher | undefined;
  #droppedBefore = 0;
  #skipPause: AbortController | undefined;

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#running = this.#run().catch((error: unknown) => reportFault(error, 'an upload'));
  }

  /** Media that waits to be sent, in milliseconds. */
  get queuedMs(): number {
    return this.#publisher?.queuedMs ?? 0;
  }

  /** Frames that were dropped because the ingest took them too slowly. */
  get droppedFrames(): number {
    return this.#droppedBefore + (this.#publisher?.droppedFrames ?? 0);
  }

  /** Sends what is said of the stream, to those that connect later too. */
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
    this.#skipPause?.abort();
  }

  /** Says goodbye to the ingest and stops; may be called twice. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#publisher?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    let attempt = 0;
    while (!signal.aborted) {
      const startedAt = this.#options.clock.monotonicMs();
      const failure = await this.#connectOnce();
      if (failure === undefined || signal.aborted) return;
      // A connection that held for a while was a good one: what follows is a new trouble, tried again at once.
      attempt = this.#options.clock.monotonicMs() - startedAt > steadyMs ? 1 : attempt + 1;
      await this.#pause(attempt, failure);
    }
  }

  /** One connection from start to end; resolves with why it fell, or with nothing when there is no use in another. */
  async #connectOnce(): Promise<IngestFailure | undefined> {
    const { connect, onState, onRefused } = this.#options;
    try {
      const publisher = await connect(this.#abort.signal);
      if (this.#abort.signal.aborted) {
        await publisher.close();
        return undefined;
      }
      this.#sendRunningGop(publisher);
      this.#publisher = publisher;
      onState({ kind: 'sending' });
      const end = await publisher.closed;
      this.#publisher = undefined;
      this.#droppedBefore += publisher.droppedFrames;
      if (end.kind === 'closed-by-us') return undefined;
      if (end.kind === 'lost') return end.failure;
      onRefused(end.failure);
      return undefined;
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      if (!(error instanceof RtmpPublishError))
        return { code: 'said', text: error instanceof Error ? error.message : String(error) };
      if (error.kind !== 'refused') return error.failure;
      onRefused(error.failure);
      return undefined;
    }
  }

  /** What a connection begins with: what is known of the stream, and the media from the newest keyframe on. */
  #sendRunningGop(publisher: RtmpPublisher): void {
    const { units, lacksPictures } = this.#gop;
    const [first] = units;
    const tags = units.map((unit) => formatUnitTag(unit));
    const timestampMs = tags[0]?.timestampMs ?? 0;
    if (this.#metadata) publisher.send({ kind: 'script', timestampMs, body: formatMetadata(this.#metadata) });
    for (const track of ['video', 'audio'] as const) {
      const config = this.#configs[track];
      if (config) publisher.send(formatUnitTag({ ...config, dts: first?.dts ?? config.dts }));
    }
    for (const tag of tags) publisher.send(tag);
    this.#awaitsKeyframe = lacksPictures;
  }

  async #pause(attempt: number, failure: IngestFailure): Promise<void> {
    const { clock, onState } = this.#options;
    const pauseMs = retryPauseMs(attempt);
    this.#skipPause = new AbortController();
    onState({ kind: 'retrying', attempt, retryAtMs: clock.monotonicMs() + pauseMs, failure });
    const signal = AbortSignal.any([this.#abort.signal, this.#skipPause.signal]);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
