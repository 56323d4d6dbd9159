import type { LadderBounds } from './ladder-bounds.ts';
import { type LadderRendition, pixelsOf } from './ladder-rendition.ts';

/** A rendition that is not encoded for now. */
interface Absence {
  rendition: LadderRendition;
  until: number;
  /** How often it was shed without a long run in between. */
  timesShed: number;
}

/** When a rendition was encoded again. */
interface Return extends Pick<Absence, 'timesShed'> {
  atMs: number;
}

/** Which renditions are to be encoded: all, until the computer cannot keep up. The costliest is shed first and returns last. */
export class RenditionSchedule {
  readonly #renditions: readonly LadderRendition[];
  readonly #bounds: Pick<LadderBounds, 'returnAfterMs' | 'maxReturnAfterMs'>;
  /** The last return of each rendition that was shed. */
  readonly #returns = new Map<LadderRendition, Return>();
  /** In the order of shedding: the last one is the cheapest. */
  #absences: readonly Absence[] = [];
  #leftOut: readonly LadderRendition[] = [];

  constructor(renditions: readonly LadderRendition[], bounds: Pick<LadderBounds, 'returnAfterMs' | 'maxReturnAfterMs'>) {
    this.#renditions = renditions;
    this.#bounds = bounds;
  }

  /** The renditions to encode. */
  get active(): readonly LadderRendition[] {
    return this.#renditions.filter((rendition) => this.whyAbsent(rendition) === undefined);
  }

  /** Whether none is shed. */
  get isWhole(): boolean {
    return this.#absences.length === 0;
  }

  /** Why a rendition is not to be encoded; undefined if it is to be. */
  whyAbsent(rendition: LadderRendition): 'left-out' | 'shed' | undefined {
    if (this.#leftOut.includes(rendition)) return 'left-out';
    return this.#absences.some((absence) => absence.rendition === rendition) ? 'shed' : undefined;
  }

  /** Leaves out these renditions and no others. A rendition that was shed and is left out is no longer shed when it returns. */
  leaveOut(renditions: readonly LadderRendition[]): {
    added: readonly LadderRendition[];
    takenBack: readonly LadderRendition[];
  } {
    const before = this.#leftOut;
    this.#leftOut = renditions;
    for (const { rendition, until, timesShed } of this.#absences) {
      // The owner decides when it returns; its run then counts from the end of the pause.
      if (renditions.includes(rendition)) this.#returns.set(rendition, { atMs: until, timesShed });
    }
    this.#absences = this.#absences.filter(({ rendition }) => !renditions.includes(rendition));
    return {
      added: renditions.filter((rendition) => !before.includes(rendition)),
      takenBack: before.filter((rendition) => !renditions.includes(rendition)),
    };
  }

  /** Sheds the costliest rendition and returns it; undefined when there is none left. */
  shed(now: number): LadderRendition | undefined {
    const [rendition] = this.active.toSorted((one, other) => pixelsOf(other) - pixelsOf(one));
    if (rendition === undefined) return undefined;
    const { returnAfterMs, maxReturnAfterMs } = this.#bounds;
    const last = this.#returns.get(rendition);
    // A return that lasted as long as the longest pause was the right decision.
    const times = last !== undefined && now - last.atMs < maxReturnAfterMs ? last.timesShed : 0;
    const until = now + Math.min(returnAfterMs * 2 ** times, maxReturnAfterMs);
    // They return one at a time, the cheapest first.
    this.#absences = [...this.#delayed(until), { rendition, until, timesShed: times + 1 }];
    return rendition;
  }

  /** Takes the cheapest shed rendition back once its pause is over and there is room for it; the others wait longer. */
  restore(now: number, hasRoom: (rendition: LadderRendition) => boolean): LadderRendition | undefined {
    const absence = this.#absences.at(-1);
    if (absence === undefined || now < absence.until || !hasRoom(absence.rendition)) return undefined;
    this.#absences = this.#delayed(now + this.#bounds.returnAfterMs).slice(0, -1);
    this.#returns.set(absence.rendition, { atMs: now, timesShed: absence.timesShed });
    return absence.rendition;
  }

  /** The absences, none of which ends before `until`. */
  #delayed(until: number): Absence[] {
    return this.#absences.map((absence) => ({ ...absence, until: Math.max(absence.until, until) }));
  }
}
