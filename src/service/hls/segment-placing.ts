import type { SegmentPlace } from './packaged-segment.ts';
import type { SegmentPlaces } from './segment-places.ts';
import type { PlannedPart, PlannedSegment, SegmentPlan } from './segment-plan.ts';

/** A packager's own facts about a segment that begins. */
export interface OwnStart {
  /** Its timestamps or tracks do not continue those of the packager's previous segment; true of its first. */
  discontinuity: boolean;
  programDateTimeMs: number;
}

/** A segment's place and date. */
export interface PlacedStart {
  place: SegmentPlace;
  programDateTimeMs: number;
}

/** How segments get their places: a source publishes its own in the plan, a rendition takes those of the plan. */
export interface SegmentPlacing {
  /** Enough is known about this segment to make it, or to drop it. */
  isDecided(segment: PlannedSegment): boolean;
  /** Its source dropped the segment: it has no place. */
  isDropped(segment: PlannedSegment): boolean;
  /** The place and date of the segment that begins now; `own` are its packager's facts about it. */
  place(segment: PlannedSegment, own: OwnStart): PlacedStart;
  addedPart(segment: PlannedSegment, part: PlannedPart): void;
  completed(segment: PlannedSegment, durationSeconds: number): void;
  /** The segment turned out to have no media. Returns whether it is a gap. */
  leftEmpty(segment: PlannedSegment): boolean;
}

/** The segments of a source: they take one place after another, and publish it in the plan for the renditions. */
export class SourcePlacing implements SegmentPlacing {
  readonly #plan: SegmentPlan;
  readonly #places: SegmentPlaces;

  constructor(plan: SegmentPlan, places: SegmentPlaces) {
    this.#plan = plan;
    this.#places = places;
  }

  isDecided(): boolean {
    return true;
  }

  isDropped(): boolean {
    return false;
  }

  place(segment: PlannedSegment, { discontinuity, programDateTimeMs }: OwnStart): PlacedStart {
    const place = this.#places.begin(segment.startMs, discontinuity);
    this.#plan.place(segment, place, programDateTimeMs);
    return { place, programDateTimeMs };
  }

  addedPart(segment: PlannedSegment, part: PlannedPart): void {
    this.#plan.addPart(segment, part);
  }

  completed(segment: PlannedSegment, durationSeconds: number): void {
    this.#places.complete({ startMs: segment.startMs, durationSeconds });
    this.#plan.complete(segment);
  }

  leftEmpty(segment: PlannedSegment): boolean {
    this.#plan.drop(segment);
    return false;
  }
}

/** The segments of a rendition: they have their places in the plan, or none. */
export class RenditionPlacing implements SegmentPlacing {
  readonly #plan: SegmentPlan;

  constructor(plan: SegmentPlan) {
    this.#plan = plan;
  }

  /** Segments that the source dropped get no place; once the source has ended, no other segment gets one either. */
  isDecided(segment: PlannedSegment): boolean {
    return segment.place !== undefined || this.#plan.ended || !this.#plan.segments.includes(segment);
  }

  isDropped({ place }: PlannedSegment): boolean {
    return place === undefined;
  }

  place({ place, programDateTimeMs }: PlannedSegment): PlacedStart {
    if (place === undefined) throw new Error('A segment without a place is never begun.');
    return { place, programDateTimeMs };
  }

  addedPart(): void {}
  completed(): void {}

  leftEmpty(): boolean {
    return true;
  }
}
