import type { Fragment, Part } from 'hls.js';
import { putLast } from '../../../shared/put-last.ts';

/** A segment on the timeline of the video element, played or buffered. */
interface DatedSegment {
  sn: number;
  startSeconds: number;
  endSeconds: number;
  /** Date of its start, epoch milliseconds. */
  dateMs: number;
}

/** The segments a player may show at one time, plus some margin. */
const maxSegments = 64;
/** Audio may begin up to one frame before the video. */
const leewaySeconds = 0.05;
/** Rounding tolerance for media times, which are fractions. */
const roundingSeconds = 0.001;
/** A shorter stretch is too little to measure the pace. */
const leastSegmentSeconds = 0.5;
/** An encoder at a third of real time. */
const slowestPace = 3;

/**
 * Finds the program date-time (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6) of each frame from where its segment's media was
 * really placed. hls.js's `playingDate` uses the expected place, which is seconds off when a player stalls.
 */
export class PictureDates {
  /** By media sequence number, newest last. */
  readonly #segments = new Map<number, DatedSegment>();

  /** Notes that media of this segment is in the buffer: all of it, or one part. */
  note(segment: Pick<Fragment, 'sn' | 'duration' | 'programDateTime' | 'elementaryStreams'>, part?: Part | null): void {
    const { sn, duration, programDateTime } = segment;
    const { audiovideo, video, audio } = (part ?? segment).elementaryStreams;
    const startPts = (audiovideo ?? video ?? audio)?.startPTS;
    if (sn === 'initSegment' || programDateTime === null || startPts === undefined) return;
    const startSeconds = startPts - (part?.fragOffset ?? 0);
    const endSeconds = startSeconds + Math.max(duration, part ? part.fragOffset + part.duration : 0);
    putLast(this.#segments, sn, { sn, startSeconds, endSeconds, dateMs: programDateTime }, maxSegments);
  }

  /** When the frame at this second of the video element was captured; undefined if its segment is unknown. */
  find(seconds: number): number | undefined {
    // Where two segments meet, both match; the later one wins if it has begun.
    const near = [...this.#segments.values()]
      .filter(
        ({ startSeconds, endSeconds }) => seconds >= startSeconds - leewaySeconds && seconds <= endSeconds + leewaySeconds,
      )
      .toSorted((one, other) => other.startSeconds - one.startSeconds);
    const found = near.find(({ startSeconds }) => startSeconds <= seconds + roundingSeconds) ?? near[0];
    return found && found.dateMs + (seconds - found.startSeconds) * 1000 * this.#pace(found);
  }

  /**
   * How many wall-clock seconds one second of this segment takes: over 1 if the encoder is slower than real time. Only segment
   * starts carry a date, so it is measured to the next segment, or from the previous one until there is a next.
   */
  #pace({ sn, startSeconds, dateMs }: DatedSegment): number {
    for (const other of [this.#segments.get(sn + 1), this.#segments.get(sn - 1)]) {
      const seconds = Math.abs((other?.startSeconds ?? startSeconds) - startSeconds);
      if (other === undefined || seconds < leastSegmentSeconds) continue;
      const pace = Math.abs(other.dateMs - dateMs) / 1000 / seconds;
      // A larger value is a pause, or a clock that was set.
      return pace <= slowestPace ? Math.max(pace, 1) : 1;
    }
    return 1;
  }
}
