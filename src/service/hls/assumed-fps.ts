/** Frames per second of video whose rate isn't known. */
export const assumedFps = 30;
