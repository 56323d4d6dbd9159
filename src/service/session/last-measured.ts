import type { LatencyView, Meters } from '../../shared/model/live.ts';
import type { PublisherMeasures } from './publisher-measures.ts';

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
  keep(measures: PublisherMeasures, now: number): void {
    this.#kept = this.read(measures, now);
    this.#lastMediaAt = this.lastMediaAt(measures);
  }
}
