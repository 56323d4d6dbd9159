import type { LadderBounds } from './ladder-bounds.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import type { Processors } from './processors.ts';
import { RenditionSchedule } from './rendition-schedule.ts';
import { ReturnJudge, type RunCost } from './return-judge.ts';

/**
 * Decides which renditions a ladder makes: sheds the costliest when the computer is too slow, takes it back when there is room
 * again, and leaves out those that their owner does not want. Holds no clock: it is fed times.
 */
export class Shedding {
  readonly #schedule: RenditionSchedule;
  readonly #judge: ReturnJudge;

  constructor(
    renditions: readonly LadderRendition[],
    bounds: Pick<LadderBounds, 'returnAfterMs' | 'maxReturnAfterMs' | 'roomMs'>,
    processors: Pick<Processors, 'readCores'>,
  ) {
    this.#schedule = new RenditionSchedule(renditions, bounds);
    this.#judge = new ReturnJudge(processors, bounds.roomMs);
  }

  /** The renditions to make. */
  get active(): readonly LadderRendition[] {
    return this.#schedule.active;
  }

  /** Why a rendition is not to be made; undefined if it is. */
  whyAbsent(rendition: LadderRendition): 'left-out' | 'shed' | undefined {
    return this.#schedule.whyAbsent(rendition);
  }

  /** Leaves out these renditions and no others. */
  leaveOut(renditions: readonly LadderRendition[]): ReturnType<RenditionSchedule['leaveOut']> {
    return this.#schedule.leaveOut(renditions);
  }

  /** Sheds the costliest rendition of a run that is too slow and returns it; undefined when there is none left. */
  shed(now: number, cost: RunCost): LadderRendition | undefined {
    const shed = this.#schedule.shed(now);
    if (shed !== undefined) this.#judge.noteShed(shed, cost);
    return shed;
  }

  /** Called once a second. Returns the rendition that it takes back, if any; none does while the others do not run well. */
  restore(now: number, runsWell: boolean): LadderRendition | undefined {
    if (this.#schedule.isWhole) return undefined;
    this.#judge.measure(now);
    return this.#schedule.restore(now, (rendition) => runsWell && this.#judge.hasRoom(rendition));
  }
}
