import type { SegmentPlace } from './packaged-segment.ts';

/** A segment of the source, as its renditions are to have it too. Times in milliseconds on the source's timeline. */
export interface PlannedSegment {
  /** The number of the timeline, as of a `TimedTag`. */
  timeline: number;
  /** What it begins with: at a keyframe's presentation time, or with sound alone. */
  kind: 'video' | 'audio';
  startMs: number;
  /** Where it ends, once that is known. */
  endMs: number | undefined;
  /** Its place in the playlist, once its first media is there. */
  place: SegmentPlace | undefined;
  /** Wall clock of its start, epoch milliseconds; known with its place. */
  programDateTimeMs: number;
}

/** More than any encoder is behind its source. */
const maxSegments = 512;

/**
 * Where the segments of a source begin and end, published by its packager as it decides and read by those of its renditions, so that all have the
 * same segments with the same media sequence and discontinuity sequence numbers (rfc8216bis §6.2.4).
 *
 * It belongs to one packager of the source: a publisher that returns gets a new one, and so do its renditions.
 */
export class SegmentPlan {
  #segments: PlannedSegment[] = [];
  #ended = false;
  readonly #listeners = new Set<() => void>();

  /** Oldest first. */
  get segments(): readonly PlannedSegment[] {
    return this.#segments;
  }

  /** The source has ended: nothing is added any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next segment begins. The one before ended where it was {@link cut}. */
  begin(timeline: number, kind: PlannedSegment['kind'], startMs: number): PlannedSegment {
    const segment: PlannedSegment = { timeline, kind, startMs, endMs: undefined, place: undefined, programDateTimeMs: 0 };
    this.#segments.push(segment);
    if (this.#segments.length > maxSegments) this.#segments.shift();
    return segment;
  }

  /** It is known where a segment ends. */
  cut(segment: PlannedSegment, endMs: number): void {
    segment.endMs = endMs;
  }

  /** The segment has its place. */
  place(segment: PlannedSegment, place: SegmentPlace, programDateTimeMs: number): void {
    segment.place = place;
    segment.programDateTimeMs = programDateTimeMs;
    this.#changed();
  }

  /** The segment turned out to have no media: there is none. */
  drop(segment: PlannedSegment): void {
    this.#segments = this.#segments.filter((other) => other !== segment);
    this.#changed();
  }

  end(): void {
    this.#ended = true;
    this.#changed();
  }

  /** Calls `listener` whenever a segment got its place or the plan ended; returns the undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
