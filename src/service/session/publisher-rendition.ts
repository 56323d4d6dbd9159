import type { PackagedSegment } from '../hls/packaged-segment.ts';
import { RenditionPackager } from '../hls/rendition-packager.ts';
import type { SegmentPlan } from '../hls/segment-plan.ts';
import { runHarmlessly } from '../lib/faults.ts';
import { HoldBack } from '../lib/hold-back.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderRendition } from '../transcode/ladder-rendition.ts';
import type { Rendition } from './rendition.ts';

/**
 * One rendition of one publisher: makes segments of its ladder's output, which is held back until the publisher before has put
 * out everything, because a playlist only grows at its end.
 */
export class PublisherRendition implements LadderRendition {
  readonly #rendition: Rendition;
  readonly #packager: RenditionPackager;
  readonly #media: HoldBack<() => void> = new HoldBack((take) => {
    // Output that was held back is from earlier calls: a bug in one of them must not cost the others.
    if (this.#media.isReleased) take();
    else runHarmlessly(take, 'taking what was encoded meanwhile');
  });

  constructor(rendition: Rendition, plan: SegmentPlan, onSegment: (segment: PackagedSegment) => void) {
    this.#rendition = rendition;
    this.#packager = new RenditionPackager({ sink: rendition.store, plan, onSegment });
  }

  get profile() {
    return this.#rendition.profile;
  }

  onUnit(unit: PlacedUnit): void {
    this.#media.push(() => this.#packager.push(unit));
  }

  onBreak(): void {
    this.#media.push(() => this.#packager.breakOff());
  }

  onRunStart(start: { timeline: number; startMs: number }): void {
    this.#packager.awaitEncoder(start);
  }

  onRunEnd(isWhole: boolean): void {
    this.#media.push(() => this.#packager.encoderEnded(isWhole));
  }

  /** The playlist stays live, with gaps: viewers change to another rendition and may come back. */
  onLeave({ atOnce }: { atOnce: boolean }): void {
    this.#media.push(() => {
      if (atOnce) this.#packager.leaveAtOnce();
      else this.#packager.leave();
      this.#rendition.store.leave();
    });
  }

  /** The publisher before has put out everything: segments are made from here on. */
  open(): void {
    this.#media.release();
  }

  /** No more media comes. */
  end(): void {
    this.#packager.end();
  }
}
