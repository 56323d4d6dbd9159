import { assertNever } from '../../shared/assert-never.ts';
import type { AirState, EndReason, LatencyView, Meters, RenditionView, Severity } from '../../shared/model/live.ts';
import type { Profile } from '../../shared/model/profile.ts';
import { SegmentLength } from '../health/segment-length.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { Playback } from '../hls/playback-directory.ts';
import type { SegmentArchive } from '../hls/segment-archive.ts';
import type { Publisher, PublisherEnd, PublisherSink } from '../ingest/publish-gate.ts';
import { EventLog } from '../lib/event-log.ts';
import type { Clock } from '../ports.ts';
import type { SessionLedger } from '../streams/session-ledger.ts';
import { Broadcast, type BroadcastLedger } from './broadcast.ts';
import { describeEnd } from './describe-end.ts';
import { firstSequences } from './first-sequences.ts';
import { LastMeasured } from './last-measured.ts';
import { PublisherFeed } from './publisher-feed.ts';
import type { StartLadder } from './rendition-set.ts';
import { StreamMedia } from './stream-media.ts';

/** What a stream may do while it lives. `feed` of `reconnecting` is a publisher that is back but has no segment yet. */
type Phase =
  | { kind: 'off-air'; endedAt?: number; reason?: EndReason }
  | { kind: 'connecting'; since: number; feed: PublisherFeed }
  | { kind: 'on-air'; since: number; sessionId: string; feed: PublisherFeed }
  | { kind: 'reconnecting'; since: number; sessionId: string; lostAt: number; until: number; feed?: PublisherFeed };

export interface LiveStreamOptions {
  streamId: string;
  playbackId: string;
  ledger: BroadcastLedger & Pick<SessionLedger, 'getNextSequences'>;
  clock: Clock;
  reconnectWindowMs: () => number;
  liveWindowSeconds: () => number;
  /** Where segments go that the memory has no room for. */
  archive?: SegmentArchive | undefined;
  /** How long parts are to be; read when a publisher comes. */
  partMs: () => number;
  /** What the next broadcast is to be transcoded to. */
  profiles: () => readonly Profile[];
  startLadder: StartLadder;
  /** Called after anything that can be seen from outside has changed, and every second while on air. */
  onChange: () => void;
}

/** How long an encoder that was stopped here is refused, so that its own reconnect does not undo the stop. */
const holdAfterStopMs = 5_000;

/**
 * One stream while the service runs: its publisher, its running session, and the playlist that outlives both.
 *
 * Times are fed by {@link tick}, once a second: it holds no timer.
 */
export class LiveStream {
  readonly streamId: string;
  readonly playbackId: string;
  readonly log = new EventLog();
  readonly #options: LiveStreamOptions;
  readonly #media: StreamMedia;
  /** The running, or else the last, broadcast. */
  #broadcast: Broadcast;
  #phase: Phase = { kind: 'off-air' };
  readonly #measured = new LastMeasured();
  readonly #segmentLength = new SegmentLength();
  #lastSegmentEndsAtMs = 0;
  #holdUntil = 0;
  #draining: Promise<void> = Promise.resolve();

  constructor(options: LiveStreamOptions) {
    this.streamId = options.streamId;
    this.playbackId = options.playbackId;
    this.#options = options;
    this.#media = new StreamMedia({
      ...firstSequences(options.ledger.getNextSequences(options.streamId)),
      liveWindowSeconds: options.liveWindowSeconds,
      startLadder: options.startLadder,
      partMs: options.partMs,
      archive: options.archive,
      onShortened: (sentence) => this.note('warn', sentence),
      onLadderEvent: ({ severity, sentence }) => this.note(severity, sentence),
    });
    this.#broadcast = this.#startBroadcast();
  }

  get air(): AirState {
    const phase = this.#phase;
    switch (phase.kind) {
      case 'off-air':
        return phase;
      case 'connecting':
        return { kind: 'connecting', since: phase.since };
      case 'on-air':
        return { kind: 'on-air', since: phase.since, sessionId: phase.sessionId };
      case 'reconnecting': {
        const { feed: _, ...state } = phase;
        return state;
      }
      default:
        return assertNever(phase);
    }
  }

  /** The running session's id. */
  get sessionId(): string | undefined {
    return 'sessionId' in this.#phase ? this.#phase.sessionId : undefined;
  }

  /** When media last arrived, epoch milliseconds; kept after a drop. */
  get lastMediaAt(): number | undefined {
    return this.#measured.lastMediaAt(this.#feed);
  }

  get nominalFps(): number | undefined {
    return this.#feed?.nominalFps;
  }

  get typicalSegmentSeconds(): number | undefined {
    return this.#segmentLength.typicalSeconds;
  }

  /** Segments of the running, or else the last, broadcast. */
  get sessionSegments(): number {
    return this.#broadcast.segments;
  }

  /** The newest measurement, kept after a drop. */
  meters(): Meters | undefined {
    return this.#measured.meters(this.#feed, this.#options.clock.now());
  }

  /** Where the time goes until the media of the running broadcast can be played. */
  latency(): LatencyView | undefined {
    const measured = this.#measured.latency(this.#feed, this.#options.clock.now());
    return this.sessionId === undefined ? undefined : measured;
  }

  /** What viewers find: the whole stream on air, the end of it for those who were watching, or nothing. */
  playback(): Playback {
    if (!this.#media.source.playable) return { kind: 'off-air' };
    const multivariant = this.sessionId === undefined ? 'ended' : 'on-air';
    return { kind: 'playable', multivariant, renditions: this.#media.playable };
  }

  /** What each profile's rendition is doing, in their order. */
  get renditions(): RenditionView[] {
    return this.#media.renditionViews();
  }

  /** Once it has ended: resolves when the renditions of every broadcast have come out, and deletes what is on disk. */
  async close(): Promise<void> {
    await this.#draining;
    this.#media.close();
  }

  /** Why a publisher may not come now; undefined when it may. */
  refusal(): string | undefined {
    return this.#options.clock.now() < this.#holdUntil
      ? 'This broadcast was just stopped in Tallylight. Start it again in a few seconds.'
      : undefined;
  }

  /** Takes a publisher in; one that is here already is sent away, and viewers stay. */
  admit(publisher: Publisher): PublisherSink {
    const { clock } = this.#options;
    const previous = this.#feed;
    previous?.finish();
    if (this.#phase.kind === 'off-air') this.#broadcast = this.#startBroadcast();
    const broadcast = this.#broadcast;
    const feed: PublisherFeed = new PublisherFeed(publisher, {
      notBeforeMs: this.#lastSegmentEndsAtMs,
      partMs: this.#options.partMs(),
      ...{ sink: this.#media.source, tracks: broadcast.media.tracks },
      renditions: broadcast.media.startFeed(() => feed.nominalFps),
      onSegment: (segment) => this.#addSegment(feed, segment),
      onNote: (severity, sentence) => this.note(severity, sentence),
    });
    const phase = this.#phase;
    this.#phase =
      phase.kind === 'off-air' || phase.kind === 'connecting'
        ? { kind: 'connecting', since: clock.now(), feed }
        : { ...phase, feed };
    if (previous) {
      this.note('warn', 'Another encoder took over with the same stream key.');
      previous.publisher.close('Another encoder took over this stream key.');
    }
    this.#options.onChange();
    return {
      tag: (tag) => {
        if (this.#feed === feed) feed.push(tag, clock.now());
      },
      end: (end) => {
        if (this.#feed === feed) this.#publisherEnded(feed, end);
      },
    };
  }

  /** Ends the running broadcast, if there is one, and sends its publisher away. */
  end(reason: EndReason): void {
    const feed = this.#feed;
    if (reason === 'stopped' && feed) this.#holdUntil = this.#options.clock.now() + holdAfterStopMs;
    // Before the first segment there is no session, and its end is no time to begin one.
    if (this.sessionId !== undefined) feed?.finish();
    this.#endSession(reason);
    feed?.publisher.close(describeEnd(reason));
  }

  /** Lets a publisher come at once after a stop: the user has pressed Go live again. */
  liftHold(): void {
    this.#holdUntil = 0;
  }

  /** Moves what depends on time; called once a second. */
  tick(): void {
    const phase = this.#phase;
    const now = this.#options.clock.now();
    if (phase.kind === 'off-air') {
      const windowMs = this.#options.liveWindowSeconds() * 1000;
      if (phase.endedAt !== undefined && now - phase.endedAt > windowMs) this.#media.forget();
      return;
    }
    if (phase.kind === 'reconnecting' && now >= phase.until) {
      phase.feed?.publisher.close(describeEnd('ingest-lost'));
      this.#endSession('ingest-lost');
      return;
    }
    this.#media.tick();
    if (this.lastMediaAt !== undefined) this.#broadcast.see(this.lastMediaAt);
    this.#options.onChange();
  }

  get #feed(): PublisherFeed | undefined {
    return 'feed' in this.#phase ? this.#phase.feed : undefined;
  }

  #addSegment(feed: PublisherFeed, segment: PackagedSegment): void {
    // A feed that was replaced hands on its last segment before the new one starts, and none after.
    if (this.#feed !== feed) return;
    const now = this.#options.clock.now();
    this.#segmentLength.add(segment.durationSeconds);
    this.#lastSegmentEndsAtMs = segment.programDateTimeMs + segment.durationSeconds * 1000;
    const phase = this.#phase;
    if (phase.kind === 'connecting') {
      const sessionId = this.#broadcast.begin(now);
      this.#measured.firstSegmentSeconds = (now - feed.publisher.connectedAt) / 1000;
      this.#phase = { kind: 'on-air', since: now, sessionId, feed };
      this.note('good', `On air, first segment after ${this.#measured.firstSegmentSeconds.toFixed(1)} s.`);
    } else if (phase.kind === 'reconnecting') {
      this.#phase = { kind: 'on-air', since: phase.since, sessionId: phase.sessionId, feed };
      this.note('good', `Back on air after ${Math.round((now - phase.lostAt) / 1000)} s.`);
    }
    this.#broadcast.countSource(segment, feed.lastMediaAt ?? now);
    this.#options.onChange();
  }

  #startBroadcast(): Broadcast {
    const { streamId, ledger, profiles } = this.#options;
    return new Broadcast({ streamId, ledger, media: this.#media, profiles: profiles() });
  }

  #publisherEnded(feed: PublisherFeed, end: PublisherEnd): void {
    feed.finish();
    this.meters();
    const phase = this.#phase;
    const now = this.#options.clock.now();
    if (end.kind === 'unpublished') {
      this.#endSession('stopped');
      return;
    }
    if (phase.kind === 'connecting') {
      this.note('bad', `The encoder left before its first segment. ${end.sentence}`);
      this.#endSession('ingest-lost');
    } else if (phase.kind === 'on-air') {
      const windowMs = this.#options.reconnectWindowMs();
      const { since, sessionId } = phase;
      this.#phase = { kind: 'reconnecting', since, sessionId, lostAt: feed.lastMediaAt ?? now, until: now + windowMs };
      this.note('bad', `The encoder was lost. ${end.sentence} Waiting ${Math.round(windowMs / 1000)} s for it to come back.`);
    } else if (phase.kind === 'reconnecting') {
      const { feed: _, ...waiting } = phase;
      this.#phase = waiting;
      this.note('bad', `The encoder came back and was lost again. ${end.sentence}`);
    }
    this.#options.onChange();
  }

  #endSession(reason: EndReason): void {
    const phase = this.#phase;
    if (phase.kind === 'off-air') return;
    this.meters();
    const now = this.#options.clock.now();
    this.#phase = { kind: 'off-air', endedAt: now, reason };
    this.#draining = Promise.all([this.#draining, this.#broadcast.end(now, reason)]).then(() => this.#options.onChange());
    if ('sessionId' in phase) this.note(reason === 'ingest-lost' ? 'bad' : 'good', describeEnd(reason));
    this.#options.onChange();
  }

  /** Adds a line to what happened. */
  note(severity: Severity, sentence: string): void {
    this.log.add(this.#options.clock.now(), severity, sentence);
    this.#options.onChange();
  }
}
