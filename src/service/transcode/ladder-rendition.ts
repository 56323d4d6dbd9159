import type { Profile } from '../../shared/model/profile.ts';
import type { PlacedUnit } from '../media/media-unit.ts';

/**
 * Takes a ladder's output for one rendition, in order, even while one ffmpeg drains and the next has started. The exceptions are
 * `onRunStart` and an `onLeave` with `atOnce`: they come before the media of earlier ffmpegs.
 */
export interface RenditionListener {
  /**
   * The next unit, on the source's timeline: configurations first, then audio and video by time, older timelines before newer
   * ones. Encoded audio may come slightly later than the video it belongs to.
   */
  onUnit(unit: PlacedUnit): void;
  /** Media is missing here, up to the next keyframe. */
  onBreak(): void;
  /** An ffmpeg that makes this rendition has started, with this keyframe of the source. */
  onRunStart(start: { timeline: number; startMs: number }): void;
  /** The oldest of those ffmpegs has output everything; unless `isWhole`, media is missing until the next one starts. */
  onRunEnd(isWhole: boolean): void;
  /**
   * The rendition is no longer made from here on; if it returns, it starts with a keyframe. With `atOnce`, all its media
   * still in ffmpegs is dropped, and their `onRunEnd` is not called.
   */
  onLeave(how: { atOnce: boolean }): void;
}

/** One rendition of a ladder: its profile and its listener. */
export interface LadderRendition extends RenditionListener {
  readonly profile: Profile;
}

/** Whether these are the same renditions, in the same order. */
export function areSameRenditions(one: readonly LadderRendition[], other: readonly LadderRendition[]): boolean {
  return one.length === other.length && one.every((rendition, index) => rendition === other[index]);
}

/** The pixels of one frame, which mostly decide the cost of encoding. */
export function pixelsOf({ profile }: Pick<LadderRendition, 'profile'>): number {
  return profile.width * profile.height;
}
