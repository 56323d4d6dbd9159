import { totalSeconds } from './count-newest.ts';
import { DepartedSegments } from './departed-segments.ts';
import type { MediaMemory } from './media-memory.ts';
import type { InitSegment } from './packaged-segment.ts';
import type { SegmentFolder } from './segment-archive.ts';
import { SegmentSpill } from './segment-spill.ts';
import type { StoredSegment } from './stored-segment.ts';

/** A playlist offers at least this many segments, however long they are, once it has them. */
const minSegments = 6;
/**
 * At least this many target durations, too: a server must not shorten it further (rfc8216bis §6.2.2), and players start that far
 * back.
 */
const minTargetDurations = 3;

export interface SegmentWindowOptions {
  /** How much of the stream a playlist offers; read when one begins. */
  windowSeconds: () => number;
  folder: SegmentFolder | undefined;
  memory: MediaMemory;
  /** The playlist has lost segments that it would still offer: there was no room for them in memory or on disk. */
  onLost: (why: { diskFull: boolean; isFirst: boolean }) => void;
}

/**
 * The whole segments of one rendition: those of the playlist, and those that have left it but may still be asked for. It owns how
 * long each stays, and whether it is in memory or on disk.
 */
export class SegmentWindow {
  readonly #options: SegmentWindowOptions;
  readonly #departed = new DepartedSegments();
  readonly #spill: SegmentSpill;
  #segments: StoredSegment[] = [];
  #windowSeconds = 0;
  /** No segment leaves the playlist if that would make it shorter than this. */
  #leastSeconds = 0;
  #longestPlaylistSeconds = 0;
  /** How many of the newest segments stay in memory. */
  #keep = Number.POSITIVE_INFINITY;
  /** Segments were lost, and none has left because the window was full since then. */
  #isShortened = false;

  constructor(options: SegmentWindowOptions) {
    const { folder } = options;
    const memory = options.memory.openShare(() => this.balance(this.#keep));
    this.#options = options;
    this.#spill = new SegmentSpill({ folder, memory, onLost: ({ msn }, why) => this.#lose(msn, why) });
  }

  /** The segments of the playlist, oldest first. */
  get segments(): readonly StoredSegment[] {
    return this.#segments;
  }

  /** How much of the stream the playlist that was begun offers. */
  get windowSeconds(): number {
    return this.#windowSeconds;
  }

  /** Whether there is no segment that a player may ask for. */
  get isEmpty(): boolean {
    return this.#segments.length === 0 && this.#departed.isEmpty;
  }

  /** Adds the newest segment, and drops those that the window no longer holds. Before the first of a playlist, adds `before`. */
  append(segment: StoredSegment, before: readonly StoredSegment[] = []): void {
    this.#segments.push(...before, segment);
    this.#shorten(segment.durationSeconds);
  }

  /** Moves the oldest segments to disk if the memory has no room for them; the newest `keep` stay. */
  balance(keep: number): void {
    this.#keep = keep;
    this.#spill.balance([...this.#departed.segments, ...this.#segments], keep);
  }

  /** The next segment begins another playlist, with this target duration. */
  startPlaylist(targetDurationSeconds: number): void {
    for (const old of this.#segments.splice(0)) this.#depart(old);
    this.#longestPlaylistSeconds = 0;
    this.#windowSeconds = this.#options.windowSeconds();
    this.#leastSeconds = Math.max(this.#windowSeconds, minTargetDurations * targetDurationSeconds);
  }

  /** A segment of the playlist, or one that left it not long ago. */
  find(msn: number): StoredSegment | undefined {
    const first = this.#segments[0];
    if (first !== undefined && msn >= first.msn) return this.#segments[msn - first.msn];
    return this.#departed.find((segment) => segment.msn === msn);
  }

  /** The init segment with this id, as long as a segment needs it. */
  findInit(id: string): InitSegment | undefined {
    const uses = ({ init }: StoredSegment) => init.id === id;
    return (this.#segments.find(uses) ?? this.#departed.find(uses))?.init;
  }

  /** Deletes the segments on disk, and writes no more. */
  close(): void {
    this.#departed.clear();
    this.#segments = [];
    this.#spill.close();
  }

  /** Removes segments beyond the window from the playlist, and drops those that can't be asked for any more. */
  #shorten(addedSeconds: number): void {
    for (const gone of this.#departed.pass(addedSeconds)) this.#spill.forget(gone);
    let playlistSeconds = totalSeconds(this.#segments);
    this.#longestPlaylistSeconds = Math.max(this.#longestPlaylistSeconds, playlistSeconds);
    for (;;) {
      const oldest = this.#segments[0];
      if (oldest === undefined || this.#segments.length <= minSegments) return;
      if (playlistSeconds - oldest.durationSeconds < this.#leastSeconds) return;
      this.#isShortened = false;
      this.#segments.shift();
      playlistSeconds -= oldest.durationSeconds;
      this.#depart(oldest);
    }
  }

  /** Neither memory nor disk has room for this segment: drops it and all older ones. */
  #lose(msn: number, { diskFull }: { diskFull: boolean }): void {
    const lost = [...this.#departed.dropUntil(msn), ...this.#segments.filter((segment) => segment.msn <= msn)];
    for (const segment of lost) this.#spill.forget(segment);
    const wasOffered = this.#segments.some((segment) => segment.msn <= msn);
    this.#segments = this.#segments.filter((segment) => segment.msn > msn);
    if (!wasOffered) return;
    const isFirst = !this.#isShortened;
    this.#isShortened = true;
    this.#options.onLost({ diskFull, isFirst });
  }

  /**
   * A segment that leaves the playlist stays for its own duration and that of the longest playlist it was in
   * (rfc8216bis §6.2.2), counted in the media that is appended.
   */
  #depart(segment: StoredSegment): void {
    this.#departed.add(segment, segment.durationSeconds + this.#longestPlaylistSeconds);
  }
}
