import { reportFault, runHarmlessly } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { PickedEncoder } from './encoder-choice.ts';
import type { RenditionState } from './rendition-state.ts';
import type { RunningLadder } from './running-ladder.ts';

export interface LadderInWaitingOptions {
  /** How many renditions it is to make. */
  count: number;
  /** What to encode with; never rejects. */
  encoder: Promise<PickedEncoder>;
  /** Makes the ladder; undefined where there is nothing to encode with. */
  start: (encoder: PickedEncoder) => RunningLadder | undefined;
  /** The ladder failed as it began, which is a fault: nothing is made of what was kept. */
  onFailure: () => void;
}

/** A ladder that does not know yet what to encode with: it keeps the media until then, so that no segment is missed. */
export class LadderInWaiting implements RunningLadder {
  readonly #count: number;
  readonly #begun: Promise<void>;
  /** What was started, also where it has failed since. */
  #started: RunningLadder | undefined;
  #leftOut: readonly number[] = [];
  #state: { kind: 'waiting'; held: PlacedUnit[] } | { kind: 'begun'; ladder: RunningLadder | undefined } = {
    kind: 'waiting',
    held: [],
  };

  constructor({ count, encoder, start, onFailure }: LadderInWaitingOptions) {
    this.#count = count;
    this.#begun = encoder
      .then((picked) => this.#begin(start(picked)))
      .catch((error: unknown) => {
        this.#state = { kind: 'begun', ladder: undefined };
        reportFault(error, 'starting a ladder');
        runHarmlessly(onFailure, 'giving up a ladder');
      });
  }

  get renditions(): RenditionState[] {
    const none = (state: RenditionState) => Array.from({ length: this.#count }, () => state);
    if (this.#state.kind === 'waiting') return none('waiting');
    return this.#state.ladder?.renditions ?? none('given-up');
  }

  push(unit: PlacedUnit): void {
    if (this.#state.kind === 'waiting') this.#state.held.push(unit);
    else this.#state.ladder?.push(unit);
  }

  leaveOut(profileIndexes: readonly number[]): void {
    this.#leftOut = profileIndexes;
    if (this.#state.kind === 'begun') this.#state.ladder?.leaveOut(profileIndexes);
  }

  tick(): void {
    if (this.#state.kind === 'begun') this.#state.ladder?.tick();
  }

  /** What it keeps comes out too: it waits until it has begun. */
  async drain(): Promise<void> {
    await this.#begun;
    await this.#started?.drain();
  }

  #begin(ladder: RunningLadder | undefined): void {
    const held = this.#state.kind === 'waiting' ? this.#state.held : [];
    this.#started = ladder;
    this.#state = { kind: 'begun', ladder };
    if (this.#leftOut.length > 0) ladder?.leaveOut(this.#leftOut);
    for (const unit of held) ladder?.push(unit);
  }
}
