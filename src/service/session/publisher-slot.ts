import type { PublisherIdentity } from '../../shared/model/refusal.ts';
import { ArrivalPauses } from '../health/arrival-pauses.ts';
import type { Publisher, PublisherEnd, PublisherSink, PublisherTrace } from '../ingest/publish-gate.ts';
import type { Clock } from '../ports.ts';
import { signalEndsInMs } from './air-state.ts';
import type { Arrival } from './arrival.ts';
import { LastMeasured } from './last-measured.ts';
import { isOwnPublisher } from './own-publisher.ts';
import { PublisherFeed, type PublisherFeedOptions } from './publisher-feed.ts';
import type { PublisherMeasures } from './publisher-measures.ts';
import { namePublisher } from './publisher-name.ts';
import { isSamePublisher } from './same-publisher.ts';

export interface PublisherSlotOptions {
  clock: Clock;
  /** The publisher that is connected has ended, by itself or with its connection. */
  onEnd: (end: PublisherEnd) => void;
  /** What it sends is judged differently now: as silent, as media that can't be played yet or at all, or as media that can. */
  onSignal: () => void;
}

/**
 * Holds the one publisher of a stream, and knows those before it: their measurements, and the last one's name. It ignores all others:
 * a publisher that was replaced may still send, and end.
 */
export class PublisherSlot {
  readonly #options: PublisherSlotOptions;
  readonly #measured = new LastMeasured();
  readonly #pauses = new ArrivalPauses();
  #feed: PublisherFeed | undefined;
  /** The last publisher that has gone, with its name. */
  #gone: (PublisherTrace & { name: string | undefined }) | undefined;
  #isOwn = false;

  constructor(options: PublisherSlotOptions) {
    this.#options = options;
  }

  /** The media of the publisher that is connected. */
  get feed(): PublisherFeed | undefined {
    return this.#feed;
  }

  get measured(): Pick<LastMeasured, 'read' | 'lastMediaAt'> {
    return this.#measured;
  }

  /** The pauses of the running session, across its publishers. */
  get pauses(): Pick<ArrivalPauses, 'recent' | 'steadySince'> {
    return this.#pauses;
  }

  /** Whether the publisher that came last is this computer's own. */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  /**
   * Takes a publisher in, once the one before was {@link letGo}. Returns where its media goes.
   *
   * @param options called once, with a function that returns the frame rate that the publisher announces
   */
  take(
    publisher: Publisher,
    options: (sourceFps: () => number | undefined) => Omit<PublisherFeedOptions, 'pauses'>,
  ): PublisherSink {
    const { clock, onEnd, onSignal } = this.#options;
    const ifConnected = (act: () => void) => {
      if (this.#feed === feed) act();
    };
    const { onSegment, ...others } = options(() => feed.measures.nominalFps);
    const feed: PublisherFeed = new PublisherFeed(publisher, {
      ...others,
      pauses: this.#pauses,
      onSegment: (segment) => ifConnected(() => onSegment(segment)),
    });
    this.#feed = feed;
    this.#pauses.changePublisher();
    this.#isOwn = isOwnPublisher(publisher);
    const judging = (take: (arrival: Arrival) => void) =>
      ifConnected(() => {
        const atMs = this.#now;
        const before = judgeSignal(feed.measures, atMs);
        take({ atMs, wallMs: clock.now() });
        if (judgeSignal(feed.measures, atMs) !== before) onSignal();
      });
    return {
      unit: (unit) => judging((arrival) => feed.push(unit, arrival)),
      leaveOut: (media) => judging((arrival) => feed.leaveOut(media, arrival)),
      announce: (metadata) => judging(() => feed.announce(metadata)),
      end: (end) => ifConnected(() => onEnd(end)),
    };
  }

  /** The computer slept until now. */
  noteSleep(): void {
    this.#pauses.noteSleep(this.#now);
  }

  /** The first segment of the session can be played: returns how long after its publisher connected, in milliseconds. */
  noteFirstSegment(): number {
    const afterMs = this.#now - (this.#feed?.publisher.connectedAt ?? this.#now);
    this.#measured.firstSegmentSeconds = afterMs / 1000;
    this.#pauses.begin();
    return afterMs;
  }

  /**
   * The publisher leaves; its measurements are kept. `keepsMedia`: the media that has arrived becomes a last segment, otherwise
   * it is dropped. Returns its feed, if there was one.
   */
  letGo(keepsMedia: boolean): PublisherFeed | undefined {
    const feed = this.#feed;
    if (feed === undefined) return undefined;
    // Finish before it counts as gone: its last segment still belongs to it.
    if (keepsMedia) feed.finish();
    else feed.abandon();
    this.#measured.keep(feed.measures, this.#now);
    // Don't keep the publisher itself, which holds its connection.
    const { software, remoteAddress } = feed.publisher;
    this.#gone = { software, remoteAddress, name: this.nameOf(feed.publisher) };
    this.#feed = undefined;
    return feed;
  }

  /**
   * The name of a publisher that is here, was here, or tries to connect; undefined if unknown. OBS gives its name only once it sends:
   * before that its connection identifies it.
   */
  nameOf(publisher: PublisherTrace): string | undefined {
    const own = namePublisher(publisher.software);
    if (own !== undefined) return own;
    const said = this.#feed && isSamePublisher(this.#feed.publisher, publisher) ? this.#feed.measures.name : undefined;
    if (said !== undefined) return said;
    return this.#gone && isSamePublisher(this.#gone, publisher) ? this.#gone.name : undefined;
  }

  /** A publisher's name, if known, and address: enough for people to recognise it. */
  identify(publisher: PublisherTrace): PublisherIdentity {
    const name = this.nameOf(publisher);
    return { ...(name !== undefined && { name }), address: publisher.remoteAddress };
  }

  get #now(): number {
    return this.#options.clock.monotonicMs();
  }
}

/** How the media of a publisher is judged at this moment, to be compared. */
function judgeSignal({ lastMediaAt, unplayable, isAwaitingKeyframe }: PublisherMeasures, atMs: number): string {
  return signalEndsInMs(lastMediaAt, atMs) < 0 ? 'silent' : `${unplayable?.why} ${isAwaitingKeyframe}`;
}
