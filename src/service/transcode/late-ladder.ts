import type { PlacedUnit } from '../media/media-unit.ts';
import { PendingLadder } from './pending-ladder.ts';
import type { RunningLadder } from './running-ladder.ts';

export interface LateLadderOptions {
  /** Calls `listener` whenever there may be more to encode with; returns the undo. */
  onFound: (listener: () => void) => () => void;
  /** Makes the ladder; undefined while there is still nothing to encode with. */
  start: () => RunningLadder | undefined;
}

/**
 * A ladder without an encoder yet, for example while a busy computer hasn't found its ffmpeg. It begins at the first keyframe after one is
 * found, since a publisher may stay connected for days. Until then, its renditions are gaps.
 */
export class LateLadder extends PendingLadder {
  readonly #options: LateLadderOptions;
  readonly #stopLooking: () => void;
  /** The source's newest configurations, by track: they aren't announced again. */
  readonly #configs = new Map<string, PlacedUnit>();
  /** There may be something to encode with now. */
  #isDue = false;

  constructor(options: LateLadderOptions) {
    super();
    this.#options = options;
    this.#stopLooking = options.onFound(() => {
      this.#isDue = true;
    });
  }

  push(unit: PlacedUnit): void {
    if (this.ladder === undefined) {
      if (unit.type === 'config') this.#configs.set(unit.config.track, unit);
      if (this.#isDue && unit.type === 'video' && unit.keyframe) this.#start();
    }
    this.ladder?.push(unit);
  }

  async drain(): Promise<void> {
    this.#stopLooking();
    await this.ladder?.drain();
  }

  #start(): void {
    this.#isDue = false;
    const ladder = this.#options.start();
    if (ladder === undefined) return;
    this.#stopLooking();
    this.begin(ladder);
    for (const config of this.#configs.values()) ladder.push(config);
  }
}
