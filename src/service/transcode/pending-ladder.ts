import type { PlacedUnit } from '../media/media-unit.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import type { RenditionState } from './rendition-state.ts';
import type { RunningLadder } from './running-ladder.ts';

/** A ladder that begins later than its broadcast. Renditions that are left out before it begins are left out from its start. */
export abstract class PendingLadder implements RunningLadder {
  /** Undefined until it has begun, and once it has failed. */
  protected ladder: RunningLadder | undefined;
  #leftOut: readonly LadderRendition[] = [];

  abstract push(unit: PlacedUnit): void;
  abstract drain(): Promise<void>;

  stateOf(rendition: LadderRendition): RenditionState {
    return this.ladder?.stateOf(rendition) ?? 'given-up';
  }

  leaveOut(renditions: readonly LadderRendition[]): void {
    this.#leftOut = renditions;
    this.ladder?.leaveOut(renditions);
  }

  tick(): void {
    this.ladder?.tick();
  }

  protected begin(ladder: RunningLadder): void {
    this.ladder = ladder;
    if (this.#leftOut.length > 0) ladder.leaveOut(this.#leftOut);
  }
}
