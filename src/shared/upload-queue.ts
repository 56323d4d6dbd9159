/** How long encoded media waits for an upload that is too slow, in milliseconds: from here on its bitrate is lowered, and health warns. */
export const slowQueueMs = 200;
/** From here on frames are dropped, and the upload counts as failing. */
export const failingQueueMs = 700;
