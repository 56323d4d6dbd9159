import type { TrackKind } from '../../shared/model/track-kind.ts';
import type { PlacedUnit } from '../media/media-unit.ts';

/** Notices in one publisher's placed units that its media begins again: its timestamps jump, or a track changes its format. */
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

  /** Whether the media has begun again since the last call. */
  take(): boolean {
    const beginsAgain = this.#beginsAgain;
    this.#beginsAgain = false;
    return beginsAgain;
  }
}
