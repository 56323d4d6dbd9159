/** Bounds of a ladder's patience and memory. Tests pass their own. */
export interface LadderBounds {
  /** Media that may wait for ffmpeg; beyond it everything up to the next keyframe is left out. */
  maxQueueBytes: number;
  /**
   * How long ffmpeg may take to give out what it was fed once nothing more comes. One that works takes as long as it is behind,
   * on a busy computer some seconds, and of it nothing is to be missed.
   */
  drainMs: number;
  /** The same where the service closes, which may take 5 s in all. */
  closeMs: number;
  /** Encoding slower than the media comes for this long sheds a rendition. */
  slowMs: number;
  /** Media this far behind, or less, is no sign of slowness. */
  maxLagMs: number;
  /** An ffmpeg that takes media and gives none for this long counts as crashed. */
  stallMs: number;
  /**
   * A shed rendition stays away for this long, and until there is room for it; each time it is shed again, twice as long. What
   * was measured wrongly, or cannot be measured, thus costs ever less.
   */
  returnAfterMs: number;
  maxReturnAfterMs: number;
  /** There is room when as much as it takes has been idle for this long. */
  roomMs: number;
  /** Crashes within the window that end the ladder. */
  maxCrashes: number;
  crashWindowMs: number;
  /** One ffmpeg runs for at most this much media: FLV written by ffmpeg counts milliseconds in 31 bits. */
  maxRunMs: number;
}

export const defaultLadderBounds: LadderBounds = {
  maxQueueBytes: 16 * 1024 * 1024,
  drainMs: 12_000,
  closeMs: 3_000,
  slowMs: 5_000,
  maxLagMs: 1_000,
  stallMs: 10_000,
  returnAfterMs: 15_000,
  maxReturnAfterMs: 16 * 60_000,
  roomMs: 10_000,
  maxCrashes: 5,
  crashWindowMs: 60_000,
  maxRunMs: 20 * 24 * 3_600_000,
};
