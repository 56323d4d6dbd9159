import { hash } from 'node:crypto';
import { isHeld } from '../../shared/model/live.ts';
import type { PublisherIdentity, Refusal, RefusalReason } from '../../shared/model/refusal.ts';
import { lastSeenBadMs } from '../health/health-facts.ts';
import type { Publisher, PublisherEnd, PublisherTrace, PublishGate } from '../ingest/publish-gate.ts';
import { createEventSource } from '../lib/event-source.ts';
import { createSeldomWarning, type SeldomWarning } from '../lib/log-seldom.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock, Logger } from '../ports.ts';
import { findStoreFault } from '../store/store-fault.ts';
import type { StreamNews } from '../streams/stream-change.ts';
import type { KeylessStream } from '../streams/stream-object.ts';
import type { KeyLookup, Streams } from '../streams/streams.ts';
import type { LiveStream } from './live-stream.ts';
import { Refusals, type RefusedTry } from './refusals.ts';
import { isSamePublisher } from './same-publisher.ts';
import { Takeovers } from './takeovers.ts';

export interface AdmissionOptions {
  streams: Pick<Streams, 'findByStreamKey'>;
  changes: StreamNews;
  clock: Clock;
  log: Logger;
  /** The live side of a stream, if there is one. */
  findLive: (streamId: string) => LiveStream | undefined;
  /** The live side of a stream, created if there is none yet. */
  open: (stream: KeylessStream) => LiveStream;
  hasPublisher: (streamId: string) => boolean;
}

/** Decides who may publish, and remembers who was refused and who replaced whom. */
export class Admission implements PublishGate {
  readonly #options: AdmissionOptions;
  /** Rate-limited, since anybody can try a key. */
  readonly #tellUnreadable: SeldomWarning;
  readonly #refusals = new Refusals();
  readonly #takeovers = new Takeovers();
  readonly #unknownKeys = createEventSource<void>();
  /** The last admission to each stream, with the key's hash: a lost publisher may reconnect while the store can't be read. */
  readonly #admitted = new Map<string, { keyHash: string; stream: KeylessStream }>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.#tellUnreadable = createSeldomWarning(
      (details, sentence) => log.error(details, sentence),
      () => clock.monotonicMs(),
    );
  }

  admit(streamKey: string, publisher: Publisher): ReturnType<PublishGate['admit']> {
    try {
      return this.#admit(streamKey, publisher);
    } catch (error) {
      const storeError = findStoreFault(error);
      if (storeError === undefined) throw error;
      this.#tellUnreadable({ err: error }, 'A publisher was refused because the store cannot be read.');
      return this.#refuse({ reason: { code: 'store-unreadable', fault: storeError.fault }, publisher });
    }
  }

  refuseUnheard(publisher: PublisherTrace, reason: RefusalReason): void {
    this.#refuse({ reason, publisher });
  }

  /** The publishers that a stream refused lately, newest first. Those with an unknown key may belong to any stream without a publisher. */
  listRefusals({ id, suspended }: Pick<KeylessStream, 'id' | 'suspended'>): Refusal[] {
    const { clock, findLive, hasPublisher } = this.#options;
    const refusesKey = isHeld(findLive(id)?.hold);
    return this.#refusals
      .list(id, { foreign: !hasPublisher(id) }, clock.monotonicMs())
      .filter(({ reason: { code } }) => (code !== 'stopped' || refusesKey) && (code !== 'suspended' || suspended))
      .map((refusal) => ({ ...refusal, at: timeOfDay(clock, refusal.at), lastAt: timeOfDay(clock, refusal.lastAt) }));
  }

  /** Whether two publishers keep replacing each other. */
  areTakingTurns(streamId: string): boolean {
    return this.#takeovers.areTakingTurns(streamId, this.#options.clock.monotonicMs());
  }

  /** Emits at each {@link report} after publishers with an unknown key were refused: streams without a publisher list them. */
  get onUnknownKey() {
    return this.#unknownKeys.on;
  }

  /** Reports the lists that have changed. Called once per tick, however large a flood is, with the streams that are on air. */
  report(onAir: readonly string[]): void {
    const { changes, clock } = this.#options;
    for (const streamId of onAir) this.#refusals.onAir(streamId);
    for (const streamId of this.#refusals.takeChanged(clock.monotonicMs())) {
      if (streamId === undefined) this.#unknownKeys.emit();
      else changes.emit({ kind: 'changed', streamId });
    }
  }

  /** The stream has a new key. */
  forgetKey(streamId: string): void {
    this.#admitted.delete(streamId);
  }

  /** The stream is deleted. */
  forget(streamId: string): void {
    this.forgetKey(streamId);
    this.#refusals.forget(streamId);
    this.#takeovers.forget(streamId);
  }

  #admit(streamKey: string, publisher: Publisher): ReturnType<PublishGate['admit']> {
    const { findLive, open, log } = this.#options;
    const found = this.#find(streamKey);
    if (found.kind === 'unknown') return this.#refuse({ reason: { code: 'wrong-key' }, publisher });
    const { kind, stream } = found;
    const refused = { streamId: stream.id, publisher, name: findLive(stream.id)?.nameOf(publisher) };
    if (kind !== 'found') return this.#refuse({ ...refused, reason: { code: kind } });
    const live = open(stream);
    if (live.refuses(publisher)) return this.#refuse({ ...refused, reason: { code: 'stopped' } });
    if (live.isRestless) return this.#refuse({ ...refused, reason: { code: 'restless' } });
    const { protocol, remoteAddress } = publisher;
    log.info({ streamId: stream.id, protocol, remoteAddress }, 'publisher admitted');
    this.#refusals.admitted(stream.id, publisher);
    this.#admitted.set(stream.id, { keyHash: hash('sha256', streamKey), stream });
    this.#noteTakeover(live);
    const previous = live.publisher;
    // Both names are read first: admitting a publisher forgets what was known of the previous one.
    const previousName = previous && live.nameOf(previous);
    const by = live.identify(publisher);
    const sink = live.admit(publisher);
    if (previous && !isSamePublisher(previous, publisher)) {
      this.#refuse({ streamId: stream.id, reason: { code: 'in-use', by }, publisher: previous, name: previousName });
    }
    // Not the previous publisher itself, which holds its connection: the sink lives as long as the new one.
    const hasTakenOver = previous !== undefined;
    let said = by;
    return {
      kind: 'admitted',
      streamId: stream.id,
      sink: {
        unit: (unit) => sink.unit(unit),
        announce: (metadata) => {
          sink.announce(metadata);
          if (hasTakenOver && live.publisher === publisher) said = this.#nameTaker(live, publisher, said);
        },
        leaveOut: (media) => sink.leaveOut(media),
        end: (end) => {
          sink.end(end);
          // Its name is in its metadata, which comes before its media.
          this.#publisherEnded({ streamId: stream.id, publisher, name: live.nameOf(publisher) }, end);
        },
      },
    };
  }

  /** Finds the stream by its key. While the store can't be read, only a running broadcast is found, by the key it was last admitted with. */
  #find(streamKey: string): KeyLookup {
    const { streams, findLive, log } = this.#options;
    try {
      return streams.findByStreamKey(streamKey);
    } catch (error) {
      if (findStoreFault(error) === undefined) throw error;
      const keyHash = hash('sha256', streamKey);
      const known = [...this.#admitted.values()].find((each) => each.keyHash === keyHash);
      if (known === undefined || findLive(known.stream.id)?.sessionId === undefined) throw error;
      log.error(
        { err: error, streamId: known.stream.id },
        'The store cannot be read: a publisher is admitted by what is remembered of it.',
      );
      return { kind: 'found', stream: known.stream };
    }
  }

  /** Notes a takeover, unless the publisher that was replaced was silent: then it is likely the same one, on a new connection. */
  #noteTakeover({ streamId, lastMediaAt = Number.NEGATIVE_INFINITY }: LiveStream): void {
    const { clock, hasPublisher } = this.#options;
    if (!hasPublisher(streamId) || clock.now() - lastMediaAt > lastSeenBadMs) return;
    this.#takeovers.note(streamId, clock.monotonicMs());
  }

  /** A publisher that took over has told more: if its name isn't the one that was `said`, corrects it. Returns what is said now. */
  #nameTaker(live: LiveStream, publisher: Publisher, said: PublisherIdentity): PublisherIdentity {
    const by = live.identify(publisher);
    if (by.name === said.name) return said;
    live.nameTaker(by);
    this.#refusals.nameTaker(live.streamId, by);
    return by;
  }

  #refuse(refused: RefusedTry) {
    this.#refusals.add(refused, this.#options.clock.monotonicMs());
    const { streamId, reason } = refused;
    return { kind: 'refused', streamId, reason } as const;
  }

  #publisherEnded(publisher: Omit<RefusedTry, 'reason'>, end: PublisherEnd): void {
    if (end.kind === 'lost' && end.cause.code === 'codec') this.#refuse({ ...publisher, reason: end.cause });
  }
}
