/** Bounds on a ladder's time and memory. Tests pass their own. */
export interface LadderBounds {
  /** Media that may wait for ffmpeg; beyond this, everything up to the next keyframe is left out. */
  maxQueueBytes: number;
  /**
   * How long ffmpeg may take to put out what it was fed once nothing more comes. An ffmpeg that works takes as long as it lags,
   * some seconds on a busy computer, and none of its media should be lost.
   */
  drainMs: number;
  /**
   * How long it has from the moment the service closes, which may take 4.5 s in all: one that hangs in a driver is waited for 2 s more
   * once it is killed.
   */
  closeMs: number;
  /** Encoding slower than real time for this long sheds a rendition; hardware that puts out nothing meanwhile counts as crashed. */
  slowMs: number;
  /** A lag up to this is no sign of slow encoding. */
  maxLagMs: number;
  /** An ffmpeg that takes media and puts out none for this long counts as crashed. */
  stallMs: number;
  /**
   * A shed rendition stays away for this long, and until there is room for it; twice as long each time it is shed again. A wrong
   * measurement, or none, thus costs less and less.
   */
  returnAfterMs: number;
  /** The longest that becomes. A rendition that has been back for as long starts over with the shortest. */
  maxReturnAfterMs: number;
  /** There is room when enough cores have been idle for this long. */
  roomMs: number;
  /** After so many crashes within the window, the ladder rests. */
  maxCrashes: number;
  crashWindowMs: number;
  /** A ladder rests for this long, and twice as long each time it has to rest again soon. */
  restMs: number;
  maxRestMs: number;
  /** The most media that one ffmpeg encodes: the FLV that it writes counts milliseconds in 31 bits. */
  maxRunMs: number;
}

/** What the service's ladders run with. */
export const defaultLadderBounds: LadderBounds = {
  maxQueueBytes: 16 * 1024 * 1024,
  drainMs: 12_000,
  closeMs: 2_000,
  slowMs: 5_000,
  maxLagMs: 1_000,
  stallMs: 10_000,
  returnAfterMs: 15_000,
  maxReturnAfterMs: 16 * 60_000,
  roomMs: 10_000,
  maxCrashes: 5,
  crashWindowMs: 60_000,
  restMs: 60_000,
  maxRestMs: 8 * 60_000,
  maxRunMs: 20 * 24 * 3_600_000,
};
