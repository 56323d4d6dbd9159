import { createListeners } from '../../shared/listeners.ts';
import type { SegmentPlace } from './packaged-segment.ts';
import type { PlaylistTargets } from './playlist-targets.ts';

/** A segment of the source, which its renditions are to have too. Times in milliseconds on the source's timeline. */
export interface PlannedSegment {
  /** The number of the timeline, as in `PlacedUnit`. */
  timeline: number;
  /** Video, from a keyframe's presentation time on, or audio only. */
  kind: 'video' | 'audio';
  startMs: number;
  /** Its end, once known. */
  endMs: number | undefined;
  /** The parts of it that the source has made. */
  parts: PlannedPart[];
  /** Whether the source has made all of it. */
  isWhole: boolean;
  /** Its place in the playlist, once its first part is made. */
  place: SegmentPlace | undefined;
  /** Wall clock of its start, epoch milliseconds; known with its place. */
  programDateTimeMs: number;
}

/** A part of a planned segment: its end, and the part target it was made for. */
export interface PlannedPart {
  endMs: number;
  targetMs: number;
}

/** More segments than any encoder falls behind its source. */
const maxSegments = 512;

/**
 * The boundaries of a source's segments. The source's packager publishes them as it decides, and the packagers of its renditions
 * read them, so that all have the same segments with the same media sequence and discontinuity sequence numbers (rfc8216bis
 * §6.2.4).
 *
 * It belongs to one packager of the source: a publisher that returns gets a new one, and so do its renditions.
 */
export class SegmentPlan {
  /** The number of the publisher's first timeline: successive publishers of a session have different ones. */
  readonly firstTimeline: number;
  #segments: PlannedSegment[] = [];
  #targets: PlaylistTargets | undefined;
  #ended = false;
  readonly #listeners = createListeners();

  constructor(firstTimeline = 0) {
    this.firstTimeline = firstTimeline;
  }

  /** Oldest first. */
  get segments(): readonly PlannedSegment[] {
    return this.#segments;
  }

  /** The segments after this one; all if undefined. */
  after(segment: PlannedSegment | undefined): readonly PlannedSegment[] {
    return this.#segments.slice(segment === undefined ? 0 : this.#segments.indexOf(segment) + 1);
  }

  /** The newest segment up to this one that has its place, as do all before it; undefined if the first has none. */
  lastPlaced(segment: PlannedSegment | undefined): PlannedSegment | undefined {
    const unplaced = this.#segments.findIndex(({ place }) => place === undefined);
    if (segment === undefined || unplaced < 0 || unplaced > this.#segments.indexOf(segment)) return segment;
    return this.#segments[unplaced - 1];
  }

  /** The first segment after `after`, of this timeline and kind, that fits. */
  find(
    after: PlannedSegment | undefined,
    of: Pick<PlannedSegment, 'timeline' | 'kind'>,
    fits: (segment: PlannedSegment) => boolean,
  ): PlannedSegment | undefined {
    return this.after(after).find((one) => one.timeline === of.timeline && one.kind === of.kind && fits(one));
  }

  /** The promise of the playlists of the source and its renditions (rfc8216bis §6.2.4); known before the first place. */
  get targets(): PlaylistTargets | undefined {
    return this.#targets;
  }

  promise(targets: PlaylistTargets): void {
    this.#targets = targets;
    this.#changed();
  }

  /** The source has ended: nothing more is added. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next segment begins. The one before ended where it was {@link cut}. */
  begin(timeline: number, kind: PlannedSegment['kind'], startMs: number): PlannedSegment {
    const segment: PlannedSegment = {
      timeline,
      kind,
      startMs,
      endMs: undefined,
      parts: [],
      isWhole: false,
      place: undefined,
      programDateTimeMs: 0,
    };
    this.#segments.push(segment);
    if (this.#segments.length > maxSegments) this.#segments.shift();
    return segment;
  }

  /** The end of a segment is known. */
  cut(segment: PlannedSegment, endMs: number): void {
    segment.endMs = endMs;
  }

  /** The segment has its place. */
  place(segment: PlannedSegment, place: SegmentPlace, programDateTimeMs: number): void {
    segment.place = place;
    segment.programDateTimeMs = programDateTimeMs;
    this.#changed();
  }

  /** The source has made the next part of the segment. */
  addPart(segment: PlannedSegment, part: PlannedPart): void {
    segment.parts.push(part);
    this.#changed();
  }

  /** The source has made all of the segment. */
  complete(segment: PlannedSegment): void {
    segment.isWhole = true;
    this.#changed();
  }

  /** The segment turned out to have no media: it is removed. */
  drop(segment: PlannedSegment): void {
    this.#segments = this.#segments.filter((other) => other !== segment);
    this.#changed();
  }

  end(): void {
    this.#ended = true;
    this.#changed();
  }

  /**
   * Calls `listener` whenever the promise is made, a segment gets its place, grows or goes, or the plan ends; returns the undo.
   */
  onChange(listener: () => void): () => void {
    return this.#listeners.on(listener);
  }

  #changed(): void {
    this.#listeners.emit();
  }
}
