import { isTimeJump } from './time-jump.ts';

/** A distance of up to this many nominal frames is one frame: timestamps are rounded, and cameras aren't exact. */
const oneFrame = 1.15;
/** This many consecutive gaps show a slower source: random drops seldom leave so many. */
const slowGaps = 3;

/** Media of a source that makes fewer frames than announced: how long it lasts, in milliseconds, and how many frames it has. */
export interface SparseMedia {
  ms: number;
  frames: number;
}

/** No such media. */
export const nothingSparse: SparseMedia = { ms: 0, frames: 0 };

/** The sum of both. */
export function plus(one: SparseMedia, other: SparseMedia): SparseMedia {
  return { ms: one.ms + other.ms, frames: one.frames + other.frames };
}

/**
 * Tells frames that an encoder drops from frames that its source doesn't make, such as a camera in dim light, or a screen where
 * nothing moves. Both leave gaps. But drops leave single gaps, or one up to the next keyframe, and between them frames follow
 * each other at the announced rate; a slower source leaves one gap after another. An encoder that drops every other frame looks
 * like a slower source.
 */
export class FrameSpacing {
  #lastMs: number | undefined;
  /** The gaps since a frame last followed at the announced rate. */
  #gaps = nothingSparse;

  /** Adds a frame with decode time `timeMs`; returns the media up to this frame that turns out to be a slower source's. */
  add(timeMs: number, nominalFps: number | undefined): SparseMedia {
    const lastMs = this.#lastMs;
    this.#lastMs = timeMs;
    const ms = lastMs === undefined || isTimeJump(lastMs, timeMs) ? 0 : timeMs - lastMs;
    if (nominalFps === undefined || ms * nominalFps <= oneFrame * 1000) {
      this.#gaps = nothingSparse;
      return nothingSparse;
    }
    const gap = { ms, frames: 1 };
    this.#gaps = plus(this.#gaps, gap);
    if (this.#gaps.frames < slowGaps) return nothingSparse;
    return this.#gaps.frames === slowGaps ? this.#gaps : gap;
  }
}
