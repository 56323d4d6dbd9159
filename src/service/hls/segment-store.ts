import type { InitSegment, PackagedSegment } from './packaged-segment.ts';

/** A segment with its place in the playlist. */
export interface StoredSegment extends PackagedSegment {
  /** Its media sequence number. */
  msn: number;
  /** Its discontinuity sequence number (EXT-X-DISCONTINUITY-SEQUENCE, RFC 8216 §6.2.1). */
  discontinuitySequence: number;
}

export interface SegmentStoreOptions {
  /** How much of the stream a playlist offers, in seconds. */
  windowSeconds?: number;
  /** The numbers go on from here, when an earlier run of the service gave numbers to this rendition's segments. */
  firstMediaSequence?: number;
  firstDiscontinuitySequence?: number;
}

/** A playlist offers at least this many segments, however long they are, once it has them. */
const minSegments = 6;
/** Target durations are whole seconds, and none is zero. Players stay three of them behind the live edge. */
const minTargetDurationSeconds = 1;

/**
 * The segments of one rendition, in memory: those of the playlist, and those that have left it but may still be asked for.
 *
 * It outlives publishers and sessions, so that media sequence and discontinuity sequence numbers never go back. Its times are
 * those of the media: it reads no clock.
 */
export class SegmentStore {
  readonly #windowSeconds: number;
  #segments: StoredSegment[] = [];
  /** Segments that left the playlist, each with how much media was appended since. */
  #departed: { segment: StoredSegment; keepSeconds: number }[] = [];
  #targetDurationSeconds = minTargetDurationSeconds;
  #longestPlaylistSeconds = 0;
  #nextMediaSequence: number;
  #discontinuitySequence: number;
  #ended = false;
  #version = 0;

  constructor({ windowSeconds = 60, firstMediaSequence = 0, firstDiscontinuitySequence = 0 }: SegmentStoreOptions = {}) {
    this.#windowSeconds = windowSeconds;
    this.#nextMediaSequence = firstMediaSequence;
    this.#discontinuitySequence = firstDiscontinuitySequence;
  }

  /** The segments of the playlist, oldest first. */
  get segments(): readonly StoredSegment[] {
    return this.#segments;
  }

  /** `EXT-X-TARGETDURATION`, in whole seconds: never shrinks from the first segment to the end (RFC 8216 §6.2.1). */
  get targetDurationSeconds(): number {
    return this.#targetDurationSeconds;
  }

  /** Nothing will be added: the playlist says `EXT-X-ENDLIST`. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Changes whenever the playlist does. */
  get version(): number {
    return this.#version;
  }

  /** The number the next segment gets. To be kept beyond the life of the process. */
  get nextMediaSequence(): number {
    return this.#nextMediaSequence;
  }

  /** The discontinuity sequence number of the newest segment. To be kept beyond the life of the process. */
  get discontinuitySequence(): number {
    return this.#discontinuitySequence;
  }

  /**
   * Adds the next segment, and lets go what is too old.
   *
   * After {@link end} it begins the playlist anew: players have stopped reloading the old one, and who joins now must not be
   * shown the end of the broadcast before.
   */
  append(segment: PackagedSegment): StoredSegment {
    const restarted = this.#ended || this.#segments.length === 0;
    if (this.#ended) {
      for (const old of this.#segments.splice(0)) this.#depart(old);
      this.#targetDurationSeconds = minTargetDurationSeconds;
      this.#longestPlaylistSeconds = 0;
      this.#ended = false;
    }
    // The very first segment of all follows nothing.
    const discontinuity = (segment.discontinuity || restarted) && this.#nextMediaSequence > 0;
    if (discontinuity) this.#discontinuitySequence += 1;
    const stored: StoredSegment = {
      ...segment,
      discontinuity,
      msn: this.#nextMediaSequence,
      discontinuitySequence: this.#discontinuitySequence,
    };
    this.#nextMediaSequence += 1;
    this.#segments.push(stored);
    this.#targetDurationSeconds = Math.max(this.#targetDurationSeconds, Math.round(segment.durationSeconds));
    this.#shorten(segment.durationSeconds);
    this.#version += 1;
    return stored;
  }

  /** The session has really ended: the playlist is complete. */
  end(): void {
    if (this.#ended || this.#segments.length === 0) return;
    this.#ended = true;
    this.#version += 1;
  }

  /** A segment of the playlist, or one that left it not long ago. */
  findSegment(msn: number): StoredSegment | undefined {
    const first = this.#segments[0];
    if (first !== undefined && msn >= first.msn) return this.#segments[msn - first.msn];
    return this.#departed.find(({ segment }) => segment.msn === msn)?.segment;
  }

  /** The init segment with this id, as long as a segment needs it. */
  findInit(id: string): InitSegment | undefined {
    const used =
      this.#segments.find(({ init }) => init.id === id) ??
      this.#departed.find(({ segment }) => segment.init.id === id)?.segment;
    return used?.init;
  }

  /** Takes out of the playlist what the window no longer holds, and lets go what nobody may ask for any more. */
  #shorten(addedSeconds: number): void {
    for (const departed of this.#departed) departed.keepSeconds -= addedSeconds;
    this.#departed = this.#departed.filter(({ keepSeconds }) => keepSeconds > 0);
    let playlistSeconds = totalSeconds(this.#segments);
    this.#longestPlaylistSeconds = Math.max(this.#longestPlaylistSeconds, playlistSeconds);
    for (;;) {
      const oldest = this.#segments[0];
      if (oldest === undefined || this.#segments.length <= minSegments) return;
      if (playlistSeconds - oldest.durationSeconds < this.#windowSeconds) return;
      this.#segments.shift();
      playlistSeconds -= oldest.durationSeconds;
      this.#depart(oldest);
    }
  }

  /**
   * A segment that leaves the playlist stays for its own duration and that of the longest playlist it was in
   * (rfc8216bis §6.2.2), counted in the media that is appended.
   */
  #depart(segment: StoredSegment): void {
    this.#departed.push({ segment, keepSeconds: segment.durationSeconds + this.#longestPlaylistSeconds });
  }
}

function totalSeconds(segments: readonly StoredSegment[]): number {
  return segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
}
