import type { Profile } from '../../shared/model/profile.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import type { RenditionState } from './rendition-state.ts';

/** One rendition that is not encoded for now. */
interface Absence {
  profileIndex: number;
  until: number;
}

/** Which renditions a ladder makes: all, until the computer cannot keep up; the costliest goes first and returns last. */
export class RenditionSchedule {
  readonly #profiles: readonly Profile[];
  readonly #bounds: Pick<LadderBounds, 'returnAfterMs' | 'maxReturnAfterMs'>;
  readonly #timesShed: number[];
  #absences: Absence[] = [];
  #leftOut: readonly number[] = [];

  constructor(profiles: readonly Profile[], bounds: Pick<LadderBounds, 'returnAfterMs' | 'maxReturnAfterMs'>) {
    this.#profiles = profiles;
    this.#bounds = bounds;
    this.#timesShed = profiles.map(() => 0);
  }

  /** The indexes of the profiles that are to be encoded. */
  get active(): number[] {
    return [...this.#profiles.keys()].filter((index) => !this.isShed(index) && !this.isLeftOut(index));
  }

  /** Whether none is shed. */
  get isWhole(): boolean {
    return this.#absences.length === 0;
  }

  /** What each is doing, by index; `running` are those that have come out. */
  describe(running: readonly number[], isGivenUp: boolean): RenditionState[] {
    return this.#profiles.map((_, index) => {
      if (isGivenUp) return 'given-up';
      if (this.isLeftOut(index)) return 'left-out';
      if (this.isShed(index)) return 'shed';
      return running.includes(index) ? 'running' : 'waiting';
    });
  }

  isShed(profileIndex: number): boolean {
    return this.#absences.some((absence) => absence.profileIndex === profileIndex);
  }

  isLeftOut(profileIndex: number): boolean {
    return this.#leftOut.includes(profileIndex);
  }

  /** Leaves these out, and only these, whatever the computer could do; one that is taken back is not shed any more. */
  leaveOut(profileIndexes: readonly number[]): { added: readonly number[]; takenBack: readonly number[] } {
    const before = this.#leftOut;
    this.#leftOut = profileIndexes;
    this.#absences = this.#absences.filter(({ profileIndex }) => !profileIndexes.includes(profileIndex));
    return {
      added: profileIndexes.filter((index) => !before.includes(index)),
      takenBack: before.filter((index) => !profileIndexes.includes(index)),
    };
  }

  /** Takes the costliest rendition out and returns its index; undefined when none is left. */
  shed(now: number): number | undefined {
    const [profileIndex] = this.active.toSorted((one, other) => this.#cost(other) - this.#cost(one));
    if (profileIndex === undefined) return undefined;
    const { returnAfterMs, maxReturnAfterMs } = this.#bounds;
    const times = this.#timesShed[profileIndex] ?? 0;
    this.#timesShed[profileIndex] = times + 1;
    const until = now + Math.min(returnAfterMs * 2 ** times, maxReturnAfterMs);
    // One at a time: a cheaper one that goes later is tried first.
    this.#absences = [...this.#absences.map((absence) => ({ ...absence, until: Math.max(absence.until, until) }))];
    this.#absences.push({ profileIndex, until });
    return profileIndex;
  }

  /** Puts the cheapest of the absent ones back once its time has come and there is room for it; the others wait on. */
  restore(now: number, hasRoom: (profileIndex: number) => boolean): number | undefined {
    const absence = this.#absences.at(-1);
    if (absence === undefined || now < absence.until || !hasRoom(absence.profileIndex)) return undefined;
    this.#absences.pop();
    const until = now + this.#bounds.returnAfterMs;
    this.#absences = this.#absences.map((other) => ({ ...other, until: Math.max(other.until, until) }));
    return absence.profileIndex;
  }

  #cost(profileIndex: number): number {
    const { width = 0, height = 0 } = this.#profiles[profileIndex] ?? {};
    return width * height;
  }
}
