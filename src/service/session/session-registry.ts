import { setImmediate } from 'node:timers/promises';
import type { EndReason } from '../../shared/model/live.ts';
import type { Playback, PlaybackDirectory } from '../hls/playback-directory.ts';
import type { Publisher, PublishGate } from '../ingest/publish-gate.ts';
import type { Logger } from '../ports.ts';
import type { LiveControl } from '../streams/live-control.ts';
import type { StreamChanges } from '../streams/stream-change.ts';
import type { KeylessStream } from '../streams/stream-object.ts';
import type { Streams } from '../streams/streams.ts';
import { LiveStream, type LiveStreamOptions } from './live-stream.ts';

export interface SessionRegistryOptions
  extends Pick<
    LiveStreamOptions,
    'ledger' | 'clock' | 'reconnectWindowMs' | 'liveWindowSeconds' | 'partMs' | 'startLadder' | 'archive'
  > {
  streams: Pick<Streams, 'findByStreamKey' | 'findByPlaybackId' | 'getKeyless'>;
  changes: StreamChanges;
  log: Logger;
  /** How often {@link LiveStream.tick} is called. */
  tickMs?: number;
}

/**
 * Every stream that has been live since the service started: who may publish, what plays, and what is written down.
 *
 * One publisher per stream key; ingest and playback meet only here.
 */
export class SessionRegistry implements PublishGate, PlaybackDirectory, LiveControl {
  readonly #options: SessionRegistryOptions;
  readonly #byStreamId = new Map<string, LiveStream>();
  readonly #byPlaybackId = new Map<string, LiveStream>();
  /** Playback ids of streams that were suspended: what is left of their last broadcast is not shown. */
  readonly #withdrawn = new Set<string>();
  readonly #ticker: NodeJS.Timeout;
  /** Resolves when those of deleted streams have been let go. */
  #leaving: Promise<unknown> = Promise.resolve();

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    this.#ticker = setInterval(() => this.#tick(), options.tickMs ?? 1_000);
  }

  find(playbackId: string): Playback {
    const live = this.#byPlaybackId.get(playbackId);
    if (live && !this.#withdrawn.has(playbackId)) return live.playback();
    return this.#options.streams.findByPlaybackId(playbackId) ? { kind: 'off-air' } : { kind: 'unknown' };
  }

  admit(streamKey: string, publisher: Publisher): ReturnType<PublishGate['admit']> {
    const found = this.#options.streams.findByStreamKey(streamKey);
    if (found.kind === 'unknown') return refuse('The stream key is not known. Copy it again from Tallylight.', true);
    if (found.kind === 'suspended') return refuse('This stream is suspended. Resume it in Tallylight.');
    const { stream } = found;
    const live = this.open(stream);
    const refusal = live.refusal();
    if (refusal !== undefined) return refuse(refusal);
    this.#withdrawn.delete(live.playbackId);
    this.#options.log.info({ streamId: stream.id, remoteAddress: publisher.remoteAddress }, 'publisher admitted');
    return { kind: 'admitted', sink: live.admit(publisher) };
  }

  /** The live side of a stream; undefined when it has not been on air since the service started. */
  findLive(streamId: string): LiveStream | undefined {
    return this.#byStreamId.get(streamId);
  }

  isLive(streamId: string): boolean {
    const air = this.#byStreamId.get(streamId)?.air.kind;
    return air === 'on-air' || air === 'reconnecting';
  }

  endBroadcast(streamId: string, reason: EndReason): void {
    const live = this.#byStreamId.get(streamId);
    if (live && reason === 'suspended') this.#withdrawn.add(live.playbackId);
    live?.end(reason);
    if (live && reason === 'deleted') {
      this.#withdrawn.delete(live.playbackId);
      this.#byStreamId.delete(live.streamId);
      this.#byPlaybackId.delete(live.playbackId);
      this.#leaving = Promise.all([this.#leaving, letGo(live)]);
    }
  }

  /** Ends every broadcast, waits until its renditions have come out, and stops the clockwork; may be called twice. */
  async close(): Promise<void> {
    clearInterval(this.#ticker);
    const lives = [...this.#byStreamId.values()];
    for (const live of lives) live.end('service-closed');
    await Promise.all([this.#leaving, ...lives.map((live) => live.close())]);
  }

  /** The live side of a stream, made when there is none yet. */
  open(stream: KeylessStream): LiveStream {
    const known = this.#byStreamId.get(stream.id);
    if (known) return known;
    const live = new LiveStream({
      ...this.#options,
      streamId: stream.id,
      playbackId: stream.playbackId,
      profiles: () => this.#options.streams.getKeyless(stream.id).profiles ?? [],
      onChange: () => this.#options.changes.emit({ kind: 'changed', streamId: stream.id }),
    });
    this.#byStreamId.set(stream.id, live);
    this.#byPlaybackId.set(stream.playbackId, live);
    return live;
  }

  #tick(): void {
    for (const live of this.#byStreamId.values()) live.tick();
  }
}

/** Closes it once the requests that waited for its end have been answered. */
async function letGo(live: LiveStream): Promise<void> {
  await setImmediate();
  await live.close();
}

function refuse(sentence: string, wrongKey = false) {
  return { kind: 'refused', sentence, wrongKey } as const;
}
