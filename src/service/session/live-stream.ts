import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { AirState, Hold, Severity } from '../../shared/model/live.ts';
import type { LogEvent } from '../../shared/model/log-line.ts';
import type { LossCause, PublisherIdentity } from '../../shared/model/refusal.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { Playback } from '../hls/playback-directory.ts';
import type { Publisher, PublisherEnd, PublisherSink, PublisherTrace } from '../ingest/publish-gate.ts';
import { EventLog } from '../lib/event-log.ts';
import { timeOfDay, wallOffsetMs } from '../lib/system-clock.ts';
import type { EndCause } from '../streams/end-cause.ts';
import { firstSequences } from './first-sequences.ts';
import { HoldAfterStop } from './hold-after-stop.ts';
import {
  collectAir,
  collectFacts,
  collectLastMediaAt,
  collectSignalEnd,
  type LiveFacts,
  type LiveParts,
  type Moment,
} from './live-facts.ts';
import type { LiveFeed } from './live-feed.ts';
import type { LiveStreamOptions } from './live-stream-options.ts';
import type { PublisherFeed } from './publisher-feed.ts';
import { PublisherSlot } from './publisher-slot.ts';
import { Restlessness } from './restlessness.ts';
import { SegmentTrail } from './segment-trail.ts';
import { StreamMedia } from './stream-media.ts';
import { StreamSessions } from './stream-sessions.ts';

/**
 * One stream while the service runs: its publisher, its running session, and the playlist that outlives both.
 *
 * {@link tick} moves its times, once a second: it has no timer.
 */
export class LiveStream {
  readonly streamId: string;
  readonly playbackId: string;
  readonly log = new EventLog();
  readonly #options: LiveStreamOptions;
  readonly #media: StreamMedia;
  readonly #sessions: StreamSessions;
  readonly #slot: PublisherSlot;
  readonly #trail = new SegmentTrail();
  readonly #hold: HoldAfterStop;
  readonly #restlessness = new Restlessness();
  #hasAdmitted = false;
  #isWithdrawn = false; // Suspended, and not live since: the media that is left is not offered.

  constructor(options: LiveStreamOptions) {
    this.streamId = options.streamId;
    this.playbackId = options.playbackId;
    this.#options = options;
    this.#hold = new HoldAfterStop(options);
    this.#media = new StreamMedia({
      ...firstSequences(options.ledger.getNextSequences(options.streamId), options.clock.now()),
      liveWindowSeconds: options.liveWindowSeconds,
      startLadder: options.startLadder,
      startAudioMeter: options.startAudioMeter,
      archive: options.archive,
      memory: options.memory,
      onFallBehind: (reader, missedUnits) => this.note('warn', { code: 'fell-behind', reader, missedUnits }),
      onShortened: ({ diskFull }) => this.note('warn', { code: 'rewind-shortened', diskFull }),
      onLadderEvent: (event, stderr) => {
        this.note(event.severity, { code: 'ladder', event });
        options.onLadderEvent(event, stderr);
      },
    });
    this.#slot = new PublisherSlot({
      clock: options.clock,
      onEnd: (ended) => this.#publisherEnded(ended),
      onSignal: () => options.onChange(),
    });
    this.#sessions = new StreamSessions({
      streamId: options.streamId,
      ledger: options.ledger,
      clock: options.clock,
      media: this.#media,
      profiles: options.profiles,
      onBegin: () => {
        this.#isWithdrawn = false;
        return this.#slot.noteFirstSegment();
      },
      note: (severity, event) => this.note(severity, event),
      onChange: () => options.onChange(),
    });
  }

  get air(): AirState {
    return collectAir(this.#parts, this.#moment);
  }

  /** The facts that views and health read, all from one moment. */
  facts(): LiveFacts {
    return collectFacts(this.#parts, this.#moment);
  }

  /** The running session's id. */
  get sessionId(): string | undefined {
    return this.#sessions.sessionId;
  }

  /** When media last arrived, epoch milliseconds; kept after a drop. */
  get lastMediaAt(): number | undefined {
    return collectLastMediaAt(this.#parts, this.#moment);
  }

  /** As {@link collectSignalEnd} says. */
  get signalEndsInMs(): number | undefined {
    return collectSignalEnd(this.#parts, this.#moment);
  }

  /** The feed of the running session, or else of the last one. The next session has another feed. */
  get live(): LiveFeed {
    return this.#sessions.current.media.live;
  }

  /** How loud it is now, or why that is unknown; undefined without a publisher, or audio. */
  get audioMeter(): AudioMeter | undefined {
    return this.#sessions.current.media.audioMeter?.read();
  }

  /** Its publisher sends another source from now on. */
  forgetLoudness(): void {
    this.#sessions.current.media.audioMeter?.forgetLoudness();
  }

  /** The connected publisher. */
  get publisher(): Publisher | undefined {
    return this.#slot.feed?.publisher;
  }

  /** Whether a publisher that is not our own is on air, or the stream waits for it. */
  get isForeign(): boolean {
    return this.#sessions.phase.kind !== 'off-air' && !this.#slot.isOwn;
  }

  /** The media that viewers can play: the stream on air, its end for those who were watching, or nothing. */
  playback(): Playback {
    if (this.#isWithdrawn || !this.#media.sourceStore.playable) return { kind: 'off-air' };
    const multivariant = this.sessionId === undefined ? 'ended' : 'on-air';
    return { kind: 'playable', multivariant, renditions: this.#media.playable };
  }

  /** Makes only the renditions of these profiles, until the session ends. @throws {ServiceError} INVALID_INPUT */
  setRenditions(names: readonly string[]): void {
    this.#media.setRenditions(names);
    this.#options.onChange();
  }

  /** Call it after the end: waits until the renditions of every session are done, and deletes what is on disk. */
  async close(): Promise<void> {
    await this.#sessions.drained;
    this.#media.close();
  }

  /** Whether a publisher is refused now, since the stream was stopped. */
  refuses(publisher: PublisherTrace): boolean {
    if (!this.#hold.refuses(publisher.software, this.nameOf(publisher))) return false;
    this.#options.onChange();
    return true;
  }

  /** The name of a publisher that is here, was here, or tries to connect; undefined if unknown. */
  nameOf(publisher: PublisherTrace): string | undefined {
    return this.#slot.nameOf(publisher);
  }

  /** The publisher's name, if known, with its address. */
  identify(publisher: PublisherTrace): PublisherIdentity {
    return this.#slot.identify(publisher);
  }

  /** Present while the stream refuses its key after *Stop*. */
  get hold(): Hold | undefined {
    return this.#hold.view;
  }

  /** Admits a publisher; one that is here already is disconnected, and viewers stay. */
  admit(publisher: Publisher): PublisherSink {
    this.#hasAdmitted = true;
    // Identify it before the previous publisher is let go: that forgets the publisher before it, which may be this one.
    const identity = this.identify(publisher);
    const previous = this.#letGo();
    if (this.#sessions.phase.kind === 'off-air') this.#trail.startSession();
    const { media } = this.#sessions.takeCurrent();
    const sink = this.#slot.take(publisher, (sourceFps) => ({
      notBeforeMs: () => timeOfDay(this.#options.clock, this.#trail.endsAtMs ?? 0),
      partMs: this.#options.partMs(),
      sink: this.#media.sourceStore,
      places: this.#media.sourceStore.places,
      promised: () => this.#media.sourceStore.targets,
      tracks: media.tracks,
      renditions: media.startFeed(sourceFps),
      onSegment: (segment) => this.#addSegment(segment),
      onBeginAgain: () => this.#beginAgain(),
      onExcess: (cause) => this.sendAway(cause),
      onNote: (severity, event) => this.note(severity, event),
    }));
    this.#restlessness.note(this.#options.clock.monotonicMs());
    this.#sessions.move({ kind: 'admitted' });
    if (previous) {
      this.note('warn', { code: 'took-over', encoder: identity });
      previous.sendAway({ code: 'in-use', by: identity });
    }
    this.#options.onChange();
    return sink;
  }

  /** The publisher that took over last has told its name. */
  nameTaker(encoder: PublisherIdentity): void {
    this.log.amend({ code: 'took-over', encoder });
    this.#options.onChange();
  }

  /** Ends the running session, if there is one, and sends its publisher away. */
  end(end: EndCause): void {
    // If no publisher has connected here, none will reconnect: a broadcast to another region says nothing about this computer.
    if (end.reason === 'stopped' && (this.#hasAdmitted || this.#hold.isOn)) this.#hold.begin({ isForeign: this.isForeign });
    if (end.reason === 'deleted') this.#hold.end();
    if (end.reason === 'suspended') this.#isWithdrawn = true;
    const feed = this.#letGo();
    this.#sessions.move({ kind: 'ended', end });
    // API key names are for the owner only.
    feed?.sendAway({ code: 'broadcast-ended', reason: end.reason });
    // A Stop after the end begins a hold, too.
    this.#options.onChange();
  }

  /**
   * Disconnects the publisher, if there is one; the session waits for the next, as after a loss. A publisher that is already lost
   * can't reconnect with an old key.
   */
  sendAway(cause: LossCause): void {
    if (this.#slot.feed) this.#publisherEnded({ kind: 'lost', cause })?.sendAway(cause);
    else if (cause.code === 'key-renewed') this.#sessions.move({ kind: 'key-renewed' });
  }

  /** Whether its media has begun again too often lately: publishers have to wait. */
  get isRestless(): boolean {
    return this.#restlessness.isTooHigh(this.#options.clock.monotonicMs());
  }

  #beginAgain(): void {
    this.#restlessness.note(this.#options.clock.monotonicMs());
    if (this.isRestless) this.sendAway({ code: 'restless' });
  }

  /** Lets publishers in again after *Stop*: all of them, or only our own, since the owner goes live from here. */
  letIn(who: 'all' | 'own'): void {
    this.#hold.letIn(who);
    this.#options.onChange();
  }

  /** The computer slept for this long, until now. Call it before {@link tick}, and before a publisher is admitted. */
  noteSleep(sleptMs: number): void {
    this.#hold.noteOutage(sleptMs);
    this.#slot.noteSleep();
  }

  /** Updates what depends on time; called once a second. */
  tick(): void {
    const before = this.#sessions.phase;
    if (this.#hold.lapse()) this.#options.onChange();
    if (before.kind === 'off-air') {
      const { sessionEndedAt } = this.#sessions;
      const staysMs = this.#media.sourceStore.staysSeconds * 1000;
      if (sessionEndedAt !== undefined && this.#options.clock.monotonicMs() - sessionEndedAt > staysMs) this.#media.forget();
      return;
    }
    this.#sessions.move({ kind: 'tick' });
    if (this.#sessions.phase.kind === 'off-air') return;
    this.#media.tick();
    const { lastMediaAt } = this;
    if (lastMediaAt !== undefined) this.#sessions.current.see(lastMediaAt);
    this.#options.onChange();
  }

  get #parts(): LiveParts {
    return {
      phase: this.#sessions.phase,
      sessionId: this.sessionId,
      measures: this.#slot.feed?.measures,
      measured: this.#slot.measured,
      pauses: this.#slot.pauses,
      trail: this.#trail,
      media: this.#media,
      audioMeter: this.#sessions.current.media.audioMeter,
    };
  }

  get #moment(): Moment {
    const { clock } = this.#options;
    const now = clock.monotonicMs();
    const offsetMs = wallOffsetMs(clock);
    return { now, timeOfDay: (atMs) => atMs + offsetMs };
  }

  #addSegment(segment: PackagedSegment): void {
    const arrival = this.#slot.feed?.measures.arrival;
    if (arrival === undefined) return;
    this.#trail.add(segment, arrival);
    this.#sessions.addSegment(segment, arrival.atMs);
    this.#options.onChange();
  }

  /** Returns the feed of the publisher that ended. */
  #publisherEnded(end: PublisherEnd): PublisherFeed | undefined {
    const feed = this.#letGo(end);
    if (end.kind === 'unpublished') {
      this.#sessions.move({ kind: 'ended', end: { reason: 'encoder-stopped' } });
      return feed;
    }
    const windowMs = this.#options.reconnectWindowMs();
    const measures = feed?.measures;
    const lastMediaAt = measures?.unplayable?.sinceMs ?? this.#slot.measured.lastMediaAt(measures);
    const wasSilent = measures?.lastMediaAt === undefined;
    this.#sessions.move({ kind: 'lost', lastMediaAt, wasSilent, windowMs, cause: end.cause });
    return feed;
  }

  /**
   * The publisher leaves, if there is one, and its media becomes a last segment. If it did not end the session itself and there is no
   * segment yet, its media is dropped: a first segment of a little audio would begin a session.
   */
  #letGo(end?: PublisherEnd): PublisherFeed | undefined {
    return this.#slot.letGo(this.sessionId !== undefined || end?.kind === 'unpublished');
  }

  /** Adds a line to the log; `agoMs` is how long ago it happened, if it is reported late. */
  note(severity: Severity, event: LogEvent, agoMs = 0): void {
    this.log.add(this.#options.clock.now() - agoMs, severity, event, { isLate: agoMs > 0 });
    this.#options.onChange();
  }
}
