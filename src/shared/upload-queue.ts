/** Once encoded media waits this long for the upload, in milliseconds, its bitrate is lowered and health warns. */
export const slowQueueMs = 200;
/** Once it waits this long, frames are dropped and the upload counts as failing. */
export const failingQueueMs = 700;
