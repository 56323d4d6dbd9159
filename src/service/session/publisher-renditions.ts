import type { PackagedSegment } from '../hls/packaged-segment.ts';
import { RenditionPackager } from '../hls/rendition-packager.ts';
import type { SegmentPlan } from '../hls/segment-plan.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderOptions } from '../transcode/ladder-options.ts';
import type { RenditionListener } from '../transcode/rendition-listener.ts';
import type { RenditionState } from '../transcode/rendition-state.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import type { Rendition } from './rendition.ts';

/** Makes the ladder of one publisher; undefined where nothing can encode. */
export type StartLadder = (
  options: RenditionListener & Pick<LadderOptions, 'profiles' | 'onEvent' | 'sourceFps'>,
) => RunningLadder | undefined;

export interface PublisherRenditionsOptions {
  renditions: readonly Rendition[];
  startLadder: StartLadder;
  plan: SegmentPlan;
  sourceFps: () => number | undefined;
  /** Resolves when every publisher before this one has come out: a playlist only grows at its end. */
  previousOut: Promise<void>;
  /** Profiles that their owner has left out, by index. */
  leftOut: readonly number[];
  /** A rendition has one more segment that plays. */
  onSegment: (segment: PackagedSegment) => void;
  onEvent: LadderOptions['onEvent'];
}

/** The renditions of one publisher: its units go in, and come out encoded anew as segments. */
export class PublisherRenditions {
  readonly #made: readonly { rendition: Rendition; packager: RenditionPackager }[];
  /** Undefined where nothing can encode, and after a fault. */
  #ladder: RunningLadder | undefined;
  /** What was started, also where it has failed since. */
  #started: RunningLadder | undefined;
  /** What comes out before the publisher before has wholly come out. */
  #waiting: (() => void)[] | undefined = [];
  readonly #opened: Promise<void>;
  #ended: Promise<void> | undefined;

  constructor({ renditions, startLadder, plan, sourceFps, previousOut, leftOut, ...told }: PublisherRenditionsOptions) {
    const onSegment = (segment: PackagedSegment) => {
      if (!segment.gap) told.onSegment(segment);
    };
    this.#made = renditions.map((rendition) => ({
      rendition,
      packager: new RenditionPackager({ sink: rendition.store, plan, onSegment }),
    }));
    this.#opened = previousOut.then(() => {
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const take of waiting) runHarmlessly(take, 'taking what was encoded meanwhile');
    });
    this.#try(() => {
      this.#started = startLadder({
        profiles: renditions.map(({ profile }) => profile),
        sourceFps,
        onUnit: (index, unit) => this.#deliver(() => this.#made[index]?.packager.push(unit)),
        onBreak: (index) => this.#deliver(() => this.#made[index]?.packager.breakOff()),
        onRunStart: (index, start) => this.#made[index]?.packager.awaitEncoder(start),
        onRunEnd: (index, isWhole) => this.#deliver(() => this.#made[index]?.packager.encoderEnded(isWhole)),
        onLeave: (index, how) => this.#leave(index, how),
        onEvent: told.onEvent,
      });
      this.#ladder = this.#started;
      if (leftOut.length > 0) this.#ladder?.leaveOut(leftOut);
    });
  }

  /** What the rendition of a profile is doing, by index. */
  stateOf(index: number): RenditionState {
    return this.#ladder?.renditions[index] ?? 'given-up';
  }

  /** Takes the next unit of the publisher. */
  push(unit: PlacedUnit): void {
    this.#try(() => this.#ladder?.push(unit));
  }

  /** Makes all but these from the next keyframe on, by index. */
  leaveOut(profileIndexes: readonly number[]): void {
    this.#try(() => this.#ladder?.leaveOut(profileIndexes));
  }

  /** Called once a second. */
  tick(): void {
    this.#try(() => this.#ladder?.tick());
  }

  /** Nothing more comes: resolves when all that was fed has come out. */
  end(): Promise<void> {
    this.#ended ??= Promise.all([drainHarmlessly(this.#started), this.#opened]).then(() => {
      for (const { packager } of this.#made) runHarmlessly(() => packager.end(), 'ending a rendition');
    });
    return this.#ended;
  }

  #deliver(take: () => void): void {
    if (this.#waiting) this.#waiting.push(take);
    else take();
  }

  /** Its playlist stays live, with gaps, so that its viewers change to another rendition and may come back. */
  #leave(index: number, { atOnce }: { atOnce: boolean }): void {
    const made = this.#made[index];
    this.#deliver(() => {
      if (atOnce) made?.packager.leaveAtOnce();
      else made?.packager.leave();
      made?.rendition.store.leave();
    });
  }

  /** A ladder that throws is a fault: it is given up, and harms nobody. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      reportFault(error, 'the renditions of a publisher');
      this.#ladder = undefined;
      for (const index of this.#made.keys()) this.#leave(index, { atOnce: true });
    }
  }
}

/** Resolves when it has drained, or cannot. */
async function drainHarmlessly(ladder: RunningLadder | undefined): Promise<void> {
  try {
    await ladder?.drain();
  } catch (error) {
    reportFault(error, 'the renditions of a publisher');
  }
}
