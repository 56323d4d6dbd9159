import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { HoldBack } from '../lib/hold-back.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import type { PickedEncoder } from './encoder-choice.ts';
import type { LadderRendition } from './ladder-rendition.ts';
import { PendingLadder } from './pending-ladder.ts';
import type { RenditionState } from './rendition-state.ts';
import type { RunningLadder } from './running-ladder.ts';

export interface LadderInWaitingOptions {
  /** The encoder to use; never rejects. */
  encoder: Promise<PickedEncoder>;
  /** Makes the ladder. */
  start: (encoder: PickedEncoder) => RunningLadder;
  /** The ladder threw as it started, which is a bug: the media held back is dropped. */
  onFailure: () => void;
}

/** A ladder that waits for its encoder to be chosen. It holds the media back until then, so that no segment is missed. */
export class LadderInWaiting extends PendingLadder {
  readonly #units = new HoldBack<PlacedUnit>((unit) => this.ladder?.push(unit));
  readonly #begun: Promise<void>;
  /** The ladder that was started, even if it has failed since. */
  #started: RunningLadder | undefined;

  constructor({ encoder, start, onFailure }: LadderInWaitingOptions) {
    super();
    this.#begun = encoder
      .then((picked) => this.begin(start(picked)))
      .catch((error: unknown) => {
        this.ladder = undefined;
        this.#units.release();
        reportFault(error, 'starting a ladder');
        runHarmlessly(onFailure, 'giving up a ladder');
      });
  }

  override stateOf(rendition: LadderRendition): RenditionState {
    if (!this.#units.isReleased) return 'waiting';
    return super.stateOf(rendition);
  }

  push(unit: PlacedUnit): void {
    this.#units.push(unit);
  }

  /** Waits until the ladder has started, since the media held back has to come out too. */
  async drain(): Promise<void> {
    await this.#begun;
    await this.#started?.drain();
  }

  protected override begin(ladder: RunningLadder): void {
    this.#started = ladder;
    super.begin(ladder);
    this.#units.release();
  }
}
