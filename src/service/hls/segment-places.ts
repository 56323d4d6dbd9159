import type { SegmentPlace, SegmentStart } from './packaged-segment.ts';

/** What a playlist's numbers begin with: 0, or what an earlier run of the service left off at. */
export interface FirstNumbers {
  firstMediaSequence?: number;
  firstDiscontinuitySequence?: number;
}

/** Less than a tick of any time scale: what is left of adding up durations. */
const roundingMs = 0.001;

/**
 * Gives segments their places: media sequence and discontinuity sequence numbers that never go back, and media times that go on.
 *
 * A publisher that returns counts its timestamps from anywhere. A discontinuity allows that (RFC 8216 §4.3.2.3), but GStreamer
 * and ffmpeg show what follows all at once, or not at all: so its media is moved to where the media before it ended.
 */
export class SegmentPlaces {
  #nextMediaSequence: number;
  #discontinuitySequence: number;
  #shiftMs = 0;
  /** Where the newest segment ends, moved; undefined where nothing is to be gone on from. */
  #endMs: number | undefined;

  constructor({ firstMediaSequence = 0, firstDiscontinuitySequence = 0 }: FirstNumbers = {}) {
    this.#nextMediaSequence = firstMediaSequence;
    this.#discontinuitySequence = firstDiscontinuitySequence;
  }

  /** The number the next segment gets. */
  get nextMediaSequence(): number {
    return this.#nextMediaSequence;
  }

  /** The discontinuity sequence number of the newest segment. */
  get discontinuitySequence(): number {
    return this.#discontinuitySequence;
  }

  /** Gives the next segment its own place, or the one it has to have. */
  begin({ startMs, discontinuity, place }: Pick<SegmentStart, 'startMs' | 'discontinuity' | 'place'>): SegmentPlace {
    const given = place ?? this.#next(startMs, discontinuity);
    this.take(given);
    return given;
  }

  /** A segment stands there. */
  take({ msn, discontinuitySequence }: SegmentPlace): void {
    this.#nextMediaSequence = msn + 1;
    this.#discontinuitySequence = discontinuitySequence;
  }

  /** The segment that was begun is whole. */
  complete({ startMs, durationSeconds }: { startMs: number; durationSeconds: number }): void {
    this.#endMs = startMs + this.#shiftMs + durationSeconds * 1000;
  }

  /** The playlist begins anew, and its media times with it. */
  restart(): void {
    this.#endMs = undefined;
    this.#shiftMs = 0;
  }

  #next(startMs: number, discontinuity: boolean): SegmentPlace {
    // The very first segment of all follows nothing.
    const follows = discontinuity && this.#nextMediaSequence > 0;
    if (follows && this.#endMs !== undefined) this.#shiftMs = Math.ceil(this.#endMs - startMs - roundingMs);
    return {
      msn: this.#nextMediaSequence,
      discontinuity: follows,
      discontinuitySequence: this.#discontinuitySequence + (follows ? 1 : 0),
      shiftMs: this.#shiftMs,
    };
  }
}
