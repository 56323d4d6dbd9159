import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { PlacedUnit } from '../media/media-unit.ts';

/** Watches the placed units of one publisher for what begins again: its timestamps have jumped, or the format of a track has changed. */
export class BeginAgainWatch {
  #timeline: number | undefined;
  readonly #configured = new Set<TrackKind>();
  #beginsAgain = false;

  add(unit: PlacedUnit): void {
    const { timeline } = unit;
    if (this.#timeline !== undefined && timeline !== this.#timeline) this.#beginsAgain = true;
    this.#timeline = timeline;
    if (unit.type !== 'config') return;
    const { track } = unit.config;
    if (this.#configured.has(track)) this.#beginsAgain = true;
    this.#configured.add(track);
  }

  /** Whether it has begun again since it was last asked. */
  take(): boolean {
    const beginsAgain = this.#beginsAgain;
    this.#beginsAgain = false;
    return beginsAgain;
  }
}
