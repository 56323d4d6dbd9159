import { SegmentLength } from '../health/segment-length.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';

/** What is remembered of the segments of a stream, whoever published them: how long they are, and where their dates have come to. */
export class SegmentTrail {
  readonly #length = new SegmentLength();
  #endsAtMs: number | undefined;

  /**
   * Takes in the next segment.
   *
   * @param arrival when its last media came, as `Clock.monotonicMs` tells it and as a time of day
   */
  add(
    { programDateTimeMs, durationSeconds }: PackagedSegment,
    { atMs, arrivedAtMs }: { atMs: number; arrivedAtMs: number },
  ): void {
    this.#length.add(durationSeconds);
    const durationMs = durationSeconds * 1000;
    // What comes in a burst may be dated ahead by its own length; more than that says that the wall clock was set meanwhile.
    this.#endsAtMs = atMs + Math.min(programDateTimeMs + durationMs - arrivedAtMs, durationMs);
  }

  /** How long segments are at present, in seconds; undefined before the first. */
  get typicalSeconds(): number | undefined {
    return this.#length.typicalSeconds;
  }

  /** When the newest segment's dates end, as `Clock.monotonicMs` tells it, which is never set. */
  get endsAtMs(): number | undefined {
    return this.#endsAtMs;
  }
}
