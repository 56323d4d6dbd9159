import { sumRoundingMs } from '../media/rounding.ts';
import type { SegmentPlace } from './packaged-segment.ts';

/** The first numbers of a playlist: 0, or where an earlier run of the service ended. */
export interface FirstNumbers {
  firstMediaSequence?: number;
  firstDiscontinuitySequence?: number;
}

/**
 * Gives segments their places: media sequence and discontinuity sequence numbers that never go back, and continuous media times.
 *
 * A publisher that returns may count its timestamps from anywhere. A discontinuity allows that (rfc8216bis §4.4.4.3), but
 * GStreamer and ffmpeg then show the next media all at once, or not at all. So its media is moved to the end of the segments
 * before it; audio that continued after the last picture reaches beyond that.
 */
export class SegmentPlaces {
  #nextMediaSequence: number;
  #discontinuitySequence: number;
  #shiftMs = 0;
  /** End of the newest segment, after the move; undefined if there is nothing to continue. */
  #endMs: number | undefined;
  /** The next segment is the first of its playlist. */
  #restarts = true;

  constructor({ firstMediaSequence = 0, firstDiscontinuitySequence = 0 }: FirstNumbers = {}) {
    this.#nextMediaSequence = firstMediaSequence;
    this.#discontinuitySequence = firstDiscontinuitySequence;
  }

  /** Gives the next segment its place. `discontinuity`: its timestamps or tracks don't continue the segment before. */
  begin(startMs: number, discontinuity: boolean): SegmentPlace {
    // No segment precedes the very first.
    const follows = (discontinuity || this.#restarts) && this.#nextMediaSequence > 0;
    this.#restarts = false;
    if (follows && this.#endMs !== undefined) this.#shiftMs = Math.ceil(this.#endMs - startMs - sumRoundingMs);
    if (follows) this.#discontinuitySequence += 1;
    const msn = this.#nextMediaSequence;
    this.#nextMediaSequence += 1;
    return { msn, discontinuity: follows, discontinuitySequence: this.#discontinuitySequence, shiftMs: this.#shiftMs };
  }

  /** The segment that was begun is whole. */
  complete({ startMs, durationSeconds }: { startMs: number; durationSeconds: number }): void {
    this.#endMs = startMs + this.#shiftMs + durationSeconds * 1000;
  }

  /** The playlist has ended: the next segment begins another one, with media times of its own. */
  restart(): void {
    this.#restarts = true;
    this.#endMs = undefined;
    this.#shiftMs = 0;
  }
}
