import type { SegmentPlace } from './packaged-segment.ts';
import type { PlannedPart, PlannedSegment, SegmentPlan } from './segment-plan.ts';

/** How the segments that are made get their places: a source publishes its own in the plan, a rendition takes those of the plan. */
export interface SegmentPlacing {
  /** Nothing more need be known of this segment for it to be made, or left out. */
  isDecided(segment: PlannedSegment): boolean;
  /** Where the segment has to stand; undefined where that is not decided here. */
  requiredPlace(segment: PlannedSegment): SegmentPlace | undefined;
  /** Its source has let the segment go: it stands nowhere. */
  isDropped(segment: PlannedSegment): boolean;
  /** The segment has begun at this place. */
  begun(segment: PlannedSegment, place: SegmentPlace, programDateTimeMs: number): void;
  addedPart(segment: PlannedSegment, part: PlannedPart): void;
  completed(segment: PlannedSegment): void;
  /** The segment turned out to have no media. Says whether it is a gap. */
  leftEmpty(segment: PlannedSegment): boolean;
}

/** The segments of a source: the plan learns of each what its renditions need. */
export class SourcePlacing implements SegmentPlacing {
  readonly #plan: SegmentPlan;

  constructor(plan: SegmentPlan) {
    this.#plan = plan;
  }

  isDecided(): boolean {
    return true;
  }

  requiredPlace(): undefined {
    return undefined;
  }

  isDropped(): boolean {
    return false;
  }

  begun(segment: PlannedSegment, place: SegmentPlace, programDateTimeMs: number): void {
    this.#plan.place(segment, place, programDateTimeMs);
  }

  addedPart(segment: PlannedSegment, part: PlannedPart): void {
    this.#plan.addPart(segment, part);
  }

  completed(segment: PlannedSegment): void {
    this.#plan.complete(segment);
  }

  leftEmpty(segment: PlannedSegment): boolean {
    this.#plan.drop(segment);
    return false;
  }
}

/** The segments of a rendition: they stand where the plan has them, or nowhere. */
export class RenditionPlacing implements SegmentPlacing {
  readonly #plan: SegmentPlan;

  constructor(plan: SegmentPlan) {
    this.#plan = plan;
  }

  /** A segment that the source dropped will have no place; nor does one get it once the source has ended. */
  isDecided(segment: PlannedSegment): boolean {
    return segment.place !== undefined || this.#plan.ended || !this.#plan.segments.includes(segment);
  }

  requiredPlace({ place }: PlannedSegment): SegmentPlace | undefined {
    return place;
  }

  isDropped({ place }: PlannedSegment): boolean {
    return place === undefined;
  }

  begun(): void {}
  addedPart(): void {}
  completed(): void {}

  leftEmpty(): boolean {
    return true;
  }
}
