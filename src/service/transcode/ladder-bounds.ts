/** Bounds on a ladder's time and memory. Tests pass their own. */
export interface LadderBounds {
  /** The most media that may wait for ffmpeg; beyond it, everything up to the next keyframe is left out. */
  maxQueueBytes: number;
  /**
   * How long ffmpeg may take for its remaining output after its input has ended. A working ffmpeg takes as long as its lag, some seconds on
   * a busy computer, and none of its media should be lost.
   */
  drainMs: number;
  /**
   * The same from the moment the service closes, which may take 4.5 s in all: we wait 2 s more for a killed ffmpeg that hangs in a
   * driver.
   */
  closeMs: number;
  /** Encoding slower than real time for this long sheds a rendition; hardware without any output meanwhile counts as crashed. */
  slowMs: number;
  /** A lag up to this isn't slow encoding. */
  maxLagMs: number;
  /** An ffmpeg that takes media and has no output for this long counts as crashed. */
  stallMs: number;
  /**
   * A shed rendition stays away at least this long and until there is room for it; twice as long each time it is shed again. So a wrong
   * or missing measurement costs less and less.
   */
  returnAfterMs: number;
  /** The longest such pause. A rendition that has been back for this long starts over with the shortest. */
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

/** The bounds of the service's ladders. */
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
