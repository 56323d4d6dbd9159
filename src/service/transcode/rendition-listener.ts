import type { PlacedUnit } from '../media/media-unit.ts';

/** Who takes what comes out of a ladder. For each rendition all of it comes in order, however the ffmpegs behind it overlap. */
export interface RenditionListener {
  /**
   * The next unit of a rendition, on the timeline and at the times of the source: configurations first, then sound and picture
   * by time; those of an older timeline before those of a newer one. Sound that is encoded anew may come a little after the
   * pictures that it belongs to.
   */
  onUnit: (profileIndex: number, unit: PlacedUnit) => void;
  /** Media of a rendition is missing here, up to the keyframe that comes next. */
  onBreak: (profileIndex: number) => void;
  /** At once, before what came earlier is handed on: an ffmpeg that makes the rendition begins with this picture of the source. */
  onRunStart: (profileIndex: number, start: { timeline: number; startMs: number }) => void;
  /** The oldest of those has given out everything; unless `isWhole`, media is missing until the next one begins. */
  onRunEnd: (profileIndex: number, isWhole: boolean) => void;
  /**
   * A rendition is not made any more from here on; when it returns, it begins with a keyframe. With `atOnce` neither what came
   * before nor the end of an ffmpeg that has begun is told of any more.
   */
  onLeave: (profileIndex: number, how: { atOnce: boolean }) => void;
}
