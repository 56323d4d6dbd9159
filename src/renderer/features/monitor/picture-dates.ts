import type { Fragment, Part } from 'hls.js';

/** A segment that was played, or is to be, on the timeline of the video element. */
interface DatedSegment {
  sn: number;
  startSeconds: number;
  endSeconds: number;
  /** Of its start, epoch milliseconds. */
  dateMs: number;
}

/** The segments that a player may show at one time, and a few more. */
const maxSegments = 64;
/** Sound begins up to a frame before its picture. */
const leewaySeconds = 0.05;
/** Times of media are fractions. */
const roundingSeconds = 0.001;
/** Less of a segment tells no pace. */
const leastSegmentSeconds = 0.5;
/** An encoder at a third of real time. */
const slowestPace = 3;

/**
 * Knows the program date-time (EXT-X-PROGRAM-DATE-TIME, rfc8216bis §4.4.4.6) of each picture, from where the media of its segment has
 * really been placed. What hls.js says (`playingDate`) goes by where it expected it, and that is seconds off where a player stalls.
 */
export class PictureDates {
  /** By media sequence number, the newest noted last. */
  readonly #segments = new Map<number, DatedSegment>();

  /** Media of this segment is in the buffer now: all of it, or one of its parts. */
  note(segment: Pick<Fragment, 'sn' | 'duration' | 'programDateTime' | 'elementaryStreams'>, part?: Part | null): void {
    const { sn, duration, programDateTime } = segment;
    const { audiovideo, video, audio } = (part ?? segment).elementaryStreams;
    const startPts = (audiovideo ?? video ?? audio)?.startPTS;
    if (sn === 'initSegment' || programDateTime === null || startPts === undefined) return;
    const startSeconds = startPts - (part?.fragOffset ?? 0);
    const endSeconds = startSeconds + Math.max(duration, part ? part.fragOffset + part.duration : 0);
    this.#segments.delete(sn);
    this.#segments.set(sn, { sn, startSeconds, endSeconds, dateMs: programDateTime });
    const [oldest] = this.#segments.keys();
    if (this.#segments.size > maxSegments && oldest !== undefined) this.#segments.delete(oldest);
  }

  /** When the picture was taken that stands at this second of the video element; undefined where its segment is not known. */
  find(seconds: number): number | undefined {
    // Where one ends and the next begins both may have it: the later one is meant, if it has begun.
    const near = [...this.#segments.values()]
      .filter(
        ({ startSeconds, endSeconds }) => seconds >= startSeconds - leewaySeconds && seconds <= endSeconds + leewaySeconds,
      )
      .toSorted((one, other) => other.startSeconds - one.startSeconds);
    const found = near.find(({ startSeconds }) => startSeconds <= seconds + roundingSeconds) ?? near[0];
    return found && found.dateMs + (seconds - found.startSeconds) * 1000 * this.#pace(found);
  }

  /**
   * How many seconds of the day a second of this segment is: over 1 where the encoder is slower than real time. Dates stand at the
   * beginning of segments alone, so that the next one tells, or the one before as long as there is no next.
   */
  #pace({ sn, startSeconds, dateMs }: DatedSegment): number {
    for (const other of [this.#segments.get(sn + 1), this.#segments.get(sn - 1)]) {
      const seconds = Math.abs((other?.startSeconds ?? startSeconds) - startSeconds);
      if (other === undefined || seconds < leastSegmentSeconds) continue;
      const pace = Math.abs(other.dateMs - dateMs) / 1000 / seconds;
      // More is a pause, or a clock that was set.
      return pace <= slowestPace ? Math.max(pace, 1) : 1;
    }
    return 1;
  }
}
