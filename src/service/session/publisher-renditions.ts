import type { PackagedSegment } from '../hls/packaged-segment.ts';
import type { SegmentPlan } from '../hls/segment-plan.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { RenditionState } from '../transcode/rendition-state.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import { PublisherRendition } from './publisher-rendition.ts';
import type { Rendition } from './rendition.ts';

/** Starts the ladder of one publisher. */
export type StartLadder = (options: Pick<LadderOptions, 'renditions' | 'onEvent' | 'sourceFps'>) => RunningLadder;

export interface PublisherRenditionsOptions {
  renditions: readonly Rendition[];
  startLadder: StartLadder;
  plan: SegmentPlan;
  sourceFps: () => number | undefined;
  /** Resolves when every publisher before this one has put out everything. */
  previousOut: Promise<void>;
  /** Renditions that the owner has left out. */
  leftOut: readonly Rendition[];
  /** A rendition has one more segment that plays. */
  onSegment: (segment: PackagedSegment) => void;
  onEvent: LadderOptions['onEvent'];
  /** Called in the same moment as the last part of each rendition is made. */
  onEnd: () => void;
}

/** The renditions of one publisher: its units go to a ladder, whose output becomes segments. */
export class PublisherRenditions {
  readonly #made: ReadonlyMap<Rendition, PublisherRendition>;
  /** Undefined after a bug in it. */
  #ladder: RunningLadder | undefined;
  /** The ladder that was started, even if it has failed since. */
  #started: RunningLadder | undefined;
  readonly #opened: Promise<void>;
  readonly #onEnd: () => void;
  #ended: Promise<void> | undefined;

  constructor({
    renditions,
    startLadder,
    plan,
    sourceFps,
    previousOut,
    leftOut,
    onEnd,
    ...options
  }: PublisherRenditionsOptions) {
    this.#onEnd = onEnd;
    const onSegment = (segment: PackagedSegment) => {
      if (!segment.gap) options.onSegment(segment);
    };
    this.#made = new Map(renditions.map((rendition) => [rendition, new PublisherRendition(rendition, plan, onSegment)]));
    this.#opened = previousOut.then(() => {
      for (const made of this.#made.values()) made.open();
    });
    this.#try(() => {
      this.#started = startLadder({ renditions: [...this.#made.values()], sourceFps, onEvent: options.onEvent });
      this.#ladder = this.#started;
      if (leftOut.length > 0) this.#ladder?.leaveOut(this.#find(leftOut));
    });
  }

  stateOf(rendition: Rendition): RenditionState {
    const made = this.#made.get(rendition);
    return (made && this.#ladder?.stateOf(made)) ?? 'given-up';
  }

  /** Takes the next unit of the publisher. */
  push(unit: PlacedUnit): void {
    this.#try(() => this.#ladder?.push(unit));
  }

  /** Makes all but these from the next keyframe on. */
  leaveOut(renditions: readonly Rendition[]): void {
    this.#try(() => this.#ladder?.leaveOut(this.#find(renditions)));
  }

  /** Called once a second. */
  tick(): void {
    this.#try(() => this.#ladder?.tick());
  }

  /** No more media comes: resolves when everything that was fed is out. */
  end(): Promise<void> {
    this.#ended ??= Promise.all([drainHarmlessly(this.#started), this.#opened]).then(() => {
      for (const made of this.#made.values()) runHarmlessly(() => made.end(), 'ending a rendition');
      this.#onEnd();
    });
    return this.#ended;
  }

  #find(renditions: readonly Rendition[]): PublisherRendition[] {
    return renditions.flatMap((rendition) => this.#made.get(rendition) ?? []);
  }

  /** A ladder that throws is a bug: it is given up, and harms nobody. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      reportFault(error, 'the renditions of a publisher');
      this.#ladder = undefined;
      for (const made of this.#made.values()) made.onLeave({ atOnce: true });
    }
  }
}

/** Resolves when the ladder has drained, or cannot. */
async function drainHarmlessly(ladder: RunningLadder | undefined): Promise<void> {
  try {
    await ladder?.drain();
  } catch (error) {
    reportFault(error, 'the renditions of a publisher');
  }
}
