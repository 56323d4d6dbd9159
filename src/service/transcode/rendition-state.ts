/**
 * What a profile of a running ladder is doing.
 *
 * `waiting`: for a keyframe, or for its first frame. `shed`: not encoded, since the computer could not keep up; it may return.
 * `left-out`: not encoded, since its owner does not want it for now.
 * `given-up`: not encoded again until another publisher, or the same once more, begins a new ladder.
 */
export type RenditionState = 'waiting' | 'running' | 'shed' | 'left-out' | 'given-up';
