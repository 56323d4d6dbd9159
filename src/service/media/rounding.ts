/**
 * How far times that mean the same may be apart, and why. All in milliseconds.
 *
 * RTMP stamps frames in whole milliseconds, rounded up or down; encoders round once more; parts and segments are on ticks of 1/90 ms.
 */

/** Two stamps of frames that are a steady distance apart: each is rounded by up to a millisecond. */
export const stampRoundingMs = 2;
/** The stamp of a frame on the exact grid of its rate: rounded once, and the grid begins at a rounded stamp. */
export const gridRoundingMs = 1.02;
/** A composition time, which is the difference of two rounded times. */
export const compositionRoundingMs = 2.05;
/** A frame of a rendition and its source's: the encoder was fed rounded times, and rounds again. */
export const renditionRoundingMs = 3;
/** Times in whole ticks of 1/90 ms: closer ones are the same. */
export const tickRoundingMs = 0.02;
/** The stamps of when a frame was captured and when it is shown: within this, the capture clock has not moved. */
export const captureRoundingMs = 1;
/** The error of adding up durations: less than a tick of any timescale. */
export const sumRoundingMs = 0.001;

/** Frames, parts and segments last at least this long, even if their times are rounded or make no sense. */
export const leastLengthMs = 1;

/** A frame stamped this much late or early may be on time: encoders on a busy computer jitter. A larger offset is real. */
export const maxJitterMs = 150;
/** An audio frame stamped early by less than half its length, and never more than this, is on time: a lost frame is a whole one. */
export const maxAudioJitterMs = 20;
