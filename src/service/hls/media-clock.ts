import type { TrackKind } from '../../shared/model/track-kind.ts';

/** A unit's position in time. */
export type Placed =
  /** It continues the media before it. */
  | { kind: 'continues'; timeMs: number }
  /** The publisher's clock was set: a new timeline begins. `skippedMs` is by how much, negative when back. */
  | { kind: 'jumps'; timeMs: number; skippedMs: number }
  /** It belongs to the timeline before, or to none. */
  | { kind: 'stale' };

/** A longer hole is a jump, unless the other track continued meanwhile. */
const maxGapMs = 5_000;
/** The limit even then: the durations that fill holes have 32 bits, at up to 192 000 ticks per second. */
const maxPauseOfOneTrackMs = 6 * 3_600_000;
/** Encoders send frames a little out of order; further back than this is a jump. */
const maxRegressMs = 1_000;

/**
 * Places the decode times of audio and video on one timeline, and notices when the publisher's clock jumps. Tracks are
 * interleaved: when one jumps, the other follows a few units later. Those few units are `stale`.
 */
export class MediaClock {
  readonly #lastMs: Partial<Record<TrackKind, number>> = {};
  /** The last time of a track on the timeline before, after the other track has jumped. */
  readonly #leftMs: Partial<Record<TrackKind, number>> = {};

  /** Places a decode time, in milliseconds. */
  place(track: TrackKind, timeMs: number): Placed {
    const other = track === 'audio' ? 'video' : 'audio';
    const lastMs = this.#lastMs[track];
    const otherMs = this.#lastMs[other];
    // Only a time from before a wrap can be negative, if the first to arrive was from after it: it belongs to no timeline.
    if (timeMs < 0) return { kind: 'stale' };
    const leftMs = this.#leftMs[track];
    if (leftMs !== undefined && otherMs !== undefined) {
      // Close to the other track, it has followed the jump; or it never left, and the other track has jumped back.
      const isBeside = Math.abs(timeMs - otherMs) <= maxRegressMs;
      if (!isBeside && Math.abs(timeMs - leftMs) < Math.abs(timeMs - otherMs)) {
        this.#leftMs[track] = timeMs;
        return { kind: 'stale' };
      }
      delete this.#leftMs[track];
    }
    if (lastMs !== undefined) {
      const gone = timeMs - lastMs;
      const besideOther = otherMs !== undefined && Math.abs(timeMs - otherMs) <= maxGapMs;
      const maxMs = besideOther ? maxPauseOfOneTrackMs : maxGapMs;
      if (gone > maxMs || gone < -maxRegressMs) return this.#jump(track, other, timeMs, gone);
    }
    this.#lastMs[track] = Math.max(timeMs, lastMs ?? 0);
    return { kind: 'continues', timeMs };
  }

  #jump(track: TrackKind, other: TrackKind, timeMs: number, skippedMs: number): Placed {
    const otherMs = this.#lastMs[other];
    if (otherMs !== undefined) this.#leftMs[other] = otherMs;
    delete this.#lastMs[other];
    this.#lastMs[track] = timeMs;
    return { kind: 'jumps', timeMs, skippedMs };
  }
}
