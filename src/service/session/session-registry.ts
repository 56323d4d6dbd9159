import { setImmediate } from 'node:timers/promises';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import type { OneClickFailure } from '../../shared/model/one-click-failure.ts';
import type { LossCause, Refusal, RefusalReason } from '../../shared/model/refusal.ts';
import type { MeterStarter } from '../audio-meter/publisher-meter.ts';
import type { Playback, PlaybackDirectory } from '../hls/playback-directory.ts';
import type { Publisher, PublisherTrace, PublishGate } from '../ingest/publish-gate.ts';
import { createEventSource } from '../lib/event-source.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { callWhenRead } from '../lib/held-up.ts';
import type { ProcessEndCause } from '../lib/process-end.ts';
import type { SleepWatch } from '../lib/sleep-watch.ts';
import type { Logger } from '../ports.ts';
import { findStoreFault } from '../store/store-fault.ts';
import type { EndCause } from '../streams/end-cause.ts';
import type { HoldLedger } from '../streams/hold-ledger.ts';
import type { LiveControl } from '../streams/live-control.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import type { KeylessStream } from '../streams/stream-object.ts';
import type { Streams } from '../streams/streams.ts';
import { Admission } from './admission.ts';
import { ForeseenSilences } from './foreseen-silence.ts';
import { LiveStream } from './live-stream.ts';
import type { LiveStreamOptions } from './live-stream-options.ts';
import { findRenditionNews, type RenditionNews } from './rendition-news.ts';

export interface SessionRegistryOptions
  extends Pick<
    LiveStreamOptions,
    'ledger' | 'clock' | 'reconnectWindowMs' | 'liveWindowSeconds' | 'partMs' | 'startLadder' | 'archive' | 'memory'
  > {
  streams: Pick<Streams, 'findByStreamKey' | 'findByPlaybackId' | 'getKeyless'>;
  changes: StreamNews;
  /** Which streams refuse their keys after *Stop*, across restarts. */
  holds: HoldLedger;
  /** Starts the meter of a stream's audio, which calls `onMeasured` with each new value. Without it, audio isn't metered. */
  startAudioMeter: MeterStarter | undefined;
  log: Logger;
  /** As in `StartOptions`: called when renditions are no longer made, or are made again, for a host to report. */
  onRenditionNews: ((news: RenditionNews) => void) | undefined;
  /** Called with each stream after its tick. */
  onTick: (live: LiveStream) => void;
  /** Checked at each tick, and before a publisher is admitted. */
  sleepWatch: Pick<SleepWatch, 'check'>;
  /** Whether the stream's broadcast goes from here to another region. */
  isElsewhere: (streamId: string) => boolean;
  /** How often {@link LiveStream.tick} is called. */
  tickMs?: number;
}

/**
 * Every stream that has been live since the service started, here or from here in another region: its publishers, its playback,
 * and its records.
 *
 * One publisher per stream key; ingest and playback meet only here.
 */
export class SessionRegistry implements PublishGate, PlaybackDirectory, LiveControl {
  readonly #options: SessionRegistryOptions;
  readonly #byStreamId = new Map<string, LiveStream>();
  readonly #byPlaybackId = new Map<string, LiveStream>();
  readonly #tickMs: number;
  #undoTick = () => {};
  readonly #silences: ForeseenSilences;
  /** Resolves when the live sides of deleted streams are closed. */
  #leaving: Promise<unknown> = Promise.resolve();
  readonly #admission: Admission;
  readonly #heard = createEventSource<string>();
  #isClosing = false;

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    const { changes, clock } = options;
    this.#tickMs = options.tickMs ?? 1_000;
    this.#silences = new ForeseenSilences({
      withinMs: this.#tickMs,
      monotonicMs: () => clock.monotonicMs(),
      onSilent: (streamId) => changes.emit({ kind: 'changed', streamId }),
    });
    this.#admission = new Admission({
      ...options,
      findLive: (streamId) => this.findLive(streamId),
      open: (stream) => this.open(stream),
      hasPublisher: (streamId) => this.hasPublisher(streamId),
    });
    // Their screens show the hold before any publisher tries.
    for (const streamId of options.holds.streamIds()) this.open(options.streams.getKeyless(streamId));
    this.#tickNext();
  }

  find(playbackId: string): Playback {
    const live = this.#byPlaybackId.get(playbackId);
    if (live) return live.playback();
    return this.#options.streams.findByPlaybackId(playbackId) ? { kind: 'off-air' } : { kind: 'unknown' };
  }

  admit(streamKey: string, publisher: Publisher): ReturnType<PublishGate['admit']> {
    if (this.#isClosing) return { kind: 'refused', reason: { code: 'ingest-closing' } };
    // The first try after a sleep may come before the first tick.
    this.#noticeSleep();
    return this.#admission.admit(streamKey, publisher);
  }

  refuseUnheard(publisher: PublisherTrace, reason: RefusalReason): void {
    this.#admission.refuseUnheard(publisher, reason);
  }

  /** See {@link Admission.listRefusals}. */
  listRefusals(stream: Pick<KeylessStream, 'id' | 'suspended'>): Refusal[] {
    return this.#admission.listRefusals(stream);
  }

  /** Whether two publishers keep replacing each other. */
  areTakingTurns(streamId: string): boolean {
    return this.#admission.areTakingTurns(streamId);
  }

  /** See {@link Admission.onUnknownKey}. */
  get onUnknownKey() {
    return this.#admission.onUnknownKey;
  }

  /** Calls `listener` with a stream's id after each new value of its audio meter; returns the undo. */
  get onHeard() {
    return this.#heard.on;
  }

  /** The live side of a stream; undefined if it has not been live since the service started. */
  findLive(streamId: string): LiveStream | undefined {
    return this.#byStreamId.get(streamId);
  }

  isLive(streamId: string): boolean {
    const air = this.#byStreamId.get(streamId)?.air.kind ?? 'off-air';
    return air !== 'off-air';
  }

  /** Whether a publisher is connected. While it is lost, or before one comes, one with a wrong key may be the stream's own. */
  hasPublisher(streamId: string): boolean {
    return this.findLive(streamId)?.publisher !== undefined;
  }

  endSession(streamId: string, end: EndCause): void {
    const live = this.#byStreamId.get(streamId);
    live?.end(end);
    if (end.reason !== 'deleted') return;
    this.#admission.forget(streamId);
    if (live === undefined) return;
    this.#byStreamId.delete(live.streamId);
    this.#byPlaybackId.delete(live.playbackId);
    this.#silences.forget(streamId);
    this.#leaving = Promise.all([this.#leaving, letGo(live)]);
  }

  /** Our own encoder has failed: ends its session, with that as the reason. */
  ownEncoderFailed(streamId: string, failure: OneClickFailure): void {
    const live = this.#byStreamId.get(streamId);
    // Another publisher that has replaced it stays, or is awaited.
    if (live && !live.isForeign) live.end({ reason: 'encoder-failed', failure });
  }

  /** As {@link LiveStream.sendAway} says; `keepsOwn`: if our own publisher is on air, it stays. */
  sendPublisherAway(streamId: string, cause: LossCause, { keepsOwn = false } = {}): void {
    if (cause.code === 'key-renewed') this.#admission.forgetKey(streamId);
    const live = this.#byStreamId.get(streamId);
    if (live?.isForeign || !keepsOwn) live?.sendAway(cause);
  }

  /** Ends every session, as if the service closed or crashed. No publisher is admitted from now on. */
  endAll({ hasCrashed }: ProcessEndCause = { hasCrashed: false }): void {
    this.#isClosing = true;
    const reason = hasCrashed ? 'service-crashed' : 'service-closed';
    for (const live of this.#byStreamId.values()) runHarmlessly(() => live.end({ reason }), 'ending a session');
  }

  /** Ends every session, waits until its renditions are done, and stops the ticks; may be called twice. */
  async close(cause?: ProcessEndCause): Promise<void> {
    this.#undoTick();
    this.#silences.close();
    this.endAll(cause);
    const lives = [...this.#byStreamId.values()];
    // If one cannot be closed, still wait for the others.
    const closed = await Promise.allSettled([this.#leaving, ...lives.map((live) => live.close())]);
    const failed = closed.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** The live side of a stream; made if there is none yet. */
  open(stream: KeylessStream): LiveStream {
    const known = this.#byStreamId.get(stream.id);
    if (known) return known;
    const { startAudioMeter } = this.#options;
    const live = new LiveStream({
      ...this.#options,
      startAudioMeter: startAudioMeter && (() => startAudioMeter(() => this.#heard.emit(stream.id))),
      streamId: stream.id,
      playbackId: stream.playbackId,
      saved: this.#options.holds.find(stream.id),
      save: (hold) => this.#options.holds.save(stream.id, hold),
      profiles: () => this.#options.streams.getKeyless(stream.id).profiles ?? [],
      onChange: () => this.#options.changes.emit({ kind: 'changed', streamId: stream.id }),
      onLadderEvent: (event, stderr) => this.#reportRenditions(stream, event, stderr),
    });
    this.#byStreamId.set(stream.id, live);
    this.#byPlaybackId.set(stream.playbackId, live);
    return live;
  }

  #reportRenditions(stream: KeylessStream, event: LadderEvent, stderr: readonly string[]): void {
    const { log, onRenditionNews } = this.#options;
    const news = findRenditionNews(() => this.#readAgain(stream), event);
    if (news === undefined) return;
    log[event.severity === 'good' ? 'info' : 'warn']({ ...news, stderr }, 'the renditions of a stream have changed');
    if (onRenditionNews) runHarmlessly(() => onRenditionNews(news), 'reporting a rendition');
  }

  /** The stream as it is now; or as it was, if it was deleted meanwhile or the store cannot be read. */
  #readAgain(stream: KeylessStream): KeylessStream {
    try {
      return this.#options.streams.findByPlaybackId(stream.playbackId) ?? stream;
    } catch (error) {
      if (findStoreFault(error) === undefined) throw error;
      this.#options.log.error({ err: error }, 'A stream on air could not be read from the store.');
      return stream;
    }
  }

  /**
   * Tells each stream about a sleep that has just ended, before its effects show. Broadcasts from here get a line in their log.
   */
  #noticeSleep(): void {
    runHarmlessly(() => this.#reportSleep(), 'reporting that the computer slept');
  }

  #reportSleep(): void {
    const { sleepWatch, isElsewhere } = this.#options;
    const sleep = sleepWatch.check();
    if (sleep === undefined) return;
    for (const live of this.#byStreamId.values()) {
      live.noteSleep(sleep.to - sleep.from);
      if (live.sessionId !== undefined || isElsewhere(live.streamId)) live.note('warn', { code: 'slept', sleep });
    }
  }

  #listOnAir(): string[] {
    return [...this.#byStreamId.values()].filter(({ air }) => air.kind === 'on-air').map(({ streamId }) => streamId);
  }

  #tickNext(): void {
    const { clock } = this.#options;
    const tick = () => {
      this.#tickNext();
      this.#tick();
    };
    this.#undoTick = callWhenRead(this.#tickMs, tick, () => clock.monotonicMs());
  }

  #tick(): void {
    const { onTick } = this.#options;
    this.#noticeSleep();
    for (const live of this.#byStreamId.values()) {
      runHarmlessly(() => live.tick(), 'the tick of a stream');
      this.#silences.foresee(live.streamId, () => live.signalEndsInMs);
      runHarmlessly(() => onTick(live), 'logging the verdicts of a stream');
    }
    runHarmlessly(() => this.#admission.report(this.#listOnAir()), 'reporting refused publishers');
  }
}

/** Closes a stream's live side after the requests that waited for its end are answered. */
async function letGo(live: LiveStream): Promise<void> {
  await setImmediate();
  await live.close().catch((error: unknown) => reportFault(error, 'closing a deleted stream'));
}
