import { SegmentLength } from '../health/segment-length.ts';
import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { Arrival } from './arrival.ts';

/** Remembers a stream's segments across publishers: how long they are, and when the newest one's dates end. */
export class SegmentTrail {
  #length = new SegmentLength();
  #endsAtMs: number | undefined;

  /** Takes in the next segment; its last media came at `arrival`. */
  add(
    { programDateTimeMs, durationSeconds }: Pick<PackagedSegment, 'programDateTimeMs' | 'durationSeconds'>,
    { atMs, wallMs }: Arrival,
  ): void {
    this.#length.add(durationSeconds);
    const durationMs = durationSeconds * 1000;
    // A burst may be dated ahead by its own length; more than that means that the wall clock was set.
    this.#endsAtMs = atMs + Math.min(programDateTimeMs + durationMs - wallMs, durationMs);
  }

  /** Another session begins: how long segments were before says nothing about it. The dates continue. */
  startSession(): void {
    this.#length = new SegmentLength();
  }

  /** How long segments are at present, in seconds; undefined before the first. */
  get typicalSeconds(): number | undefined {
    return this.#length.typicalSeconds;
  }

  /** When the newest segment's dates end, by `Clock.monotonicMs`, which is never set. */
  get endsAtMs(): number | undefined {
    return this.#endsAtMs;
  }
}
