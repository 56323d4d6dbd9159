/**
 * A rendition's state in its ladder.
 *
 * `waiting`: it starts with the next keyframe, or its first frame is not out yet. `shed`: not encoded, because the computer could
 * not keep up; it may return. `left-out`: not encoded, because the stream's owner left it out. `resting`: not encoded for some
 * minutes, because ffmpeg kept failing. `given-up`: it can't be encoded. Without an encoder, it begins once there is one (`LateLadder`);
 * if ffmpeg can't decode the source, only a new publisher's ladder tries again.
 */
export type RenditionState = 'waiting' | 'running' | 'shed' | 'left-out' | 'resting' | 'given-up';
