import type { LatencyView, Meters } from '../../shared/model/live.ts';
import type { EncoderIdentity } from '../../shared/model/refusal.ts';
import type { Publisher } from '../ingest/publish-gate.ts';
import type { PublisherFeed } from './publisher-feed.ts';
import { namePublisher } from './publisher-name.ts';

/** What was last measured of a stream's publishers: it is kept after a drop, with its age. */
export class LastMeasured {
  /** Seconds from a publisher's connection to the first playable segment of the broadcast. */
  firstSegmentSeconds: number | undefined;
  #lastMediaAt: number | undefined;
  #meters: Meters | undefined;
  #publisher: Pick<Publisher, 'software' | 'remoteAddress'> | undefined;
  #latency: LatencyView | undefined;
  #pace = 1;

  /** When media last arrived, as `Clock.monotonicMs` tells it; all other times here are of that clock too. */
  lastMediaAt(feed: PublisherFeed | undefined): number | undefined {
    this.#lastMediaAt = feed?.lastMediaAt ?? this.#lastMediaAt;
    return this.#lastMediaAt;
  }

  /** Who an encoder is, for people. */
  identify(publisher: Pick<Publisher, 'software' | 'remoteAddress'>): EncoderIdentity {
    const name = this.nameOf(publisher);
    return { ...(name !== undefined && { name }), address: publisher.remoteAddress };
  }

  /** What an encoder is called, as far as that is known: OBS names itself only once it sends, and is known by its connection then. */
  nameOf({ software, remoteAddress }: Pick<Publisher, 'software' | 'remoteAddress'>): string | undefined {
    const isLast = this.#publisher?.software === software && this.#publisher?.remoteAddress === remoteAddress;
    return namePublisher(software) ?? (isLast ? this.#meters?.encoderName : undefined);
  }

  meters(feed: PublisherFeed | undefined, now: number): Meters | undefined {
    const fresh = feed?.meters(now);
    if (feed) this.#publisher = feed.publisher;
    if (fresh) this.#meters = { ...fresh, firstSegmentSeconds: this.firstSegmentSeconds };
    return this.#meters;
  }

  /** How fast the encoder is, as a share of real time. */
  pace(feed: PublisherFeed | undefined): number {
    this.#pace = feed?.pace ?? this.#pace;
    return this.#pace;
  }

  latency(feed: PublisherFeed | undefined, now: number): LatencyView | undefined {
    // What one publisher tells of its capture is not said of the next.
    if (feed !== undefined) this.#latency = feed.latency(now);
    return this.#latency;
  }
}
