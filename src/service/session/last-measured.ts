import type { LatencyView, Meters } from '../../shared/model/live.ts';
import type { PublisherFeed } from './publisher-feed.ts';

/** What was last measured of a stream's publishers: it is kept after a drop, with its age. */
export class LastMeasured {
  /** Seconds from a publisher's connection to the first playable segment of the broadcast. */
  firstSegmentSeconds: number | undefined;
  #lastMediaAt: number | undefined;
  #meters: Meters | undefined;
  #latency: LatencyView | undefined;

  /** When media last arrived, epoch milliseconds. */
  lastMediaAt(feed: PublisherFeed | undefined): number | undefined {
    this.#lastMediaAt = feed?.lastMediaAt ?? this.#lastMediaAt;
    return this.#lastMediaAt;
  }

  meters(feed: PublisherFeed | undefined, now: number): Meters | undefined {
    const fresh = feed?.meters(now);
    if (fresh) this.#meters = { ...fresh, firstSegmentSeconds: this.firstSegmentSeconds };
    return this.#meters;
  }

  latency(feed: PublisherFeed | undefined, now: number): LatencyView | undefined {
    // What one publisher tells of its capture is not said of the next.
    if (feed !== undefined) this.#latency = feed.latency(now);
    return this.#latency;
  }
}
