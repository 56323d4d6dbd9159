/** The measurement of 0.1 s of a broadcast's audio. Levels are no lower than `lowestLevel`. */
export interface SoundFrame {
  /** Loudness of the last 0.4 s in LUFS; undefined before they have passed. */
  momentaryLufs: number | undefined;
  /** Loudness of the last 3 s in LUFS; undefined before they have passed. */
  shortTermLufs: number | undefined;
  /** The true peak of each channel in these 0.1 s, in dBTP, left first. */
  truePeaksDbtp: readonly number[];
  /** How alike left and right are: 1 is mono, 0 unrelated or one side only, −1 inverse to each other. */
  phase: number;
}

/** How much audio a frame covers, in milliseconds. */
export const soundFrameMs = 100;
