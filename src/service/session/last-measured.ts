import type { LatencyView, Meters } from '../../shared/model/live.ts';
import type { PublisherIdentity } from '../../shared/model/refusal.ts';
import type { PublisherTrace } from '../ingest/publish-gate.ts';
import type { PublisherFeed } from './publisher-feed.ts';
import type { PublisherMeasures } from './publisher-measures.ts';
import { namePublisher } from './publisher-name.ts';
import { isSamePublisher } from './same-publisher.ts';

/** The measurements of a publisher. Times are those of `Clock.monotonicMs`. */
export interface Measured {
  /** The newest measurement. */
  meters: Meters | undefined;
  latency: LatencyView | undefined;
  /** How fast the publisher is, as a multiple of real time. */
  pace: number;
}

/** The last measurements of a stream's publishers, kept with their age after a publisher is gone. */
export class LastMeasured {
  /** Seconds from a publisher's connection to the first playable segment of the session. */
  firstSegmentSeconds: number | undefined;
  #lastMediaAt: number | undefined;
  #kept: Measured = { meters: undefined, latency: undefined, pace: 1 };
  /** The publisher that has gone, with its name. */
  #publisher: (PublisherTrace & { name: string | undefined }) | undefined;

  /** The measurements of the connected publisher, or of the one before while there is none or it hasn't sent anything yet. */
  read(measures: PublisherMeasures | undefined, now: number): Measured {
    if (measures === undefined) return this.#kept;
    const fresh = measures.meters(now);
    const meters = fresh ? { ...fresh, firstSegmentSeconds: this.firstSegmentSeconds } : this.#kept.meters;
    // Latency belongs to one publisher: its capture times say nothing about the next one's.
    return { meters, latency: measures.latency(now), pace: fresh ? measures.pace : this.#kept.pace };
  }

  /** When media last arrived, from the connected publisher or those before. */
  lastMediaAt(measures: PublisherMeasures | undefined): number | undefined {
    return measures?.lastMediaAt ?? this.#lastMediaAt;
  }

  /** The publisher is gone: keeps what was measured of it. */
  keep(feed: PublisherFeed, now: number): void {
    this.#kept = this.read(feed.measures, now);
    this.#lastMediaAt = this.lastMediaAt(feed.measures);
    const name = this.nameOf(feed.publisher, feed);
    // Don't keep the publisher itself, which holds its connection.
    const { software, remoteAddress } = feed.publisher;
    this.#publisher = { software, remoteAddress, name };
  }

  /** A publisher's name, if known, and address: enough for people to recognise it. */
  identify(publisher: PublisherTrace, feed: PublisherFeed | undefined): PublisherIdentity {
    const name = this.nameOf(publisher, feed);
    return { ...(name !== undefined && { name }), address: publisher.remoteAddress };
  }

  /** A publisher's name, if known. OBS gives its name only once it sends: before that its connection identifies it. */
  nameOf(publisher: PublisherTrace, feed: PublisherFeed | undefined): string | undefined {
    const own = namePublisher(publisher.software);
    if (own !== undefined) return own;
    const said = feed && isSamePublisher(feed.publisher, publisher) ? feed.measures.name : undefined;
    if (said !== undefined) return said;
    return this.#publisher && isSamePublisher(this.#publisher, publisher) ? this.#publisher.name : undefined;
  }
}
