import type { Fragment, Part } from 'hls.js';

/** Keyframes remembered: more than fit into the buffer of one player. */
const maxKeyframes = 64;
/** A buffer takes no more than this of 8 Mbit/s. Beyond it, the picture stops until the next keyframe. */
const mostSeconds = 120;
/** A player may place media a little later than its playlist says. */
const marginSeconds = 1;

/**
 * Finds how much media a player must keep behind the playhead: from the keyframe of the current picture on.
 *
 * Browsers remove media up to the next keyframe (Media Source Extensions, *coded frame removal*). If there is none, because an encoder
 * has stopped making them, they remove everything, with the picture that is playing.
 */
export class BackBuffer {
  readonly #leastSeconds: number;
  /** Where keyframes are on the timeline of the video element, newest last. */
  readonly #keyframesAt: number[] = [];

  /** @param leastSeconds what the player keeps in any case */
  constructor(leastSeconds: number) {
    this.#leastSeconds = leastSeconds;
  }

  /** Notes that media of this segment is in the buffer: all of it, which probably begins with a keyframe, or one part. */
  note(segment: Pick<Fragment, 'start'>, part?: Pick<Part, 'start' | 'independent'> | null): void {
    if (part?.independent === false) return;
    this.#keyframesAt.push((part ?? segment).start);
    if (this.#keyframesAt.length > maxKeyframes) this.#keyframesAt.shift();
  }

  /** How much to keep behind a playhead at this second, in seconds: {@link mostSeconds} at most. */
  findSeconds(playheadSeconds: number): number {
    const keyframeAt = Math.max(-1, ...this.#keyframesAt.filter((seconds) => seconds <= playheadSeconds));
    const sinceSeconds = keyframeAt < 0 ? 0 : playheadSeconds - keyframeAt + marginSeconds;
    return Math.max(this.#leastSeconds, Math.min(sinceSeconds, mostSeconds));
  }
}
