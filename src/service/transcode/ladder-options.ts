import type { EncoderName } from '../../shared/model/encoder.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { TimedTag } from '../media/timed-tag.ts';
import type { Clock } from '../ports.ts';
import type { LadderBounds } from './ladder-bounds.ts';
import type { LadderEvent } from './rendition-state.ts';

/** What a ladder is made of, and who hears from it. */
export interface LadderOptions {
  ffmpegPath: string;
  encoder: EncoderName;
  /** At least one, in the order that indexes of profiles refer to. */
  profiles: readonly Profile[];
  clock: Clock;
  /**
   * Takes the next tag of a rendition, on the timeline and at the times of the source: sequence headers first, then sound and
   * picture by time. Tags of one rendition come in order, and those of an older timeline before those of a newer one.
   */
  onTag: (profileIndex: number, tag: TimedTag) => void;
  onEvent: (event: LadderEvent) => void;
  /** The frame rate that the publisher says it sends, if any: it decides on the H.264 level. */
  sourceFps?: () => number | undefined;
  bounds?: LadderBounds;
}
