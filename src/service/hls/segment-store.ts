import type {
  InitSegment,
  PackagedPart,
  PackagedSegment,
  SegmentGap,
  SegmentPlace,
  SegmentSink,
  SegmentStart,
} from './packaged-segment.ts';
import { SegmentPlaces } from './segment-places.ts';
import { describeLoss, SegmentSpill } from './segment-spill.ts';
import type { FoundPart, OpenSegment, SegmentStoreOptions, StoredSegment } from './stored-segment.ts';

const defaultMaxMemoryBytes = 64 * 1024 * 1024;
/** A playlist offers at least this many segments, however long they are, once it has them. */
const minSegments = 6;
/** Target durations are whole seconds, and none is zero. Players stay three of them behind the live edge. */
const minTargetDurationSeconds = 1;
/** Parts leave the playlist this many target durations behind its end, and may be asked for as long again (rfc8216bis §6.2.2). */
const partTargetDurations = 3;

/**
 * The segments of one rendition, in memory: those of the playlist, and those that have left it but may still be asked for.
 *
 * It outlives publishers and sessions, so that media sequence and discontinuity sequence numbers never go back. Its times are
 * those of the media: it reads no clock.
 */
export class SegmentStore implements SegmentSink {
  readonly #windowSeconds: number;
  #segments: StoredSegment[] = [];
  #open: (OpenSegment & { parts: PackagedPart[] }) | undefined;
  /** Segments that left the playlist, each with how much media was appended since. */
  #departed: { segment: StoredSegment; keepSeconds: number }[] = [];
  #targetDurationSeconds = minTargetDurationSeconds;
  #longestPlaylistSeconds = 0;
  readonly #places: SegmentPlaces;
  #ended = false;
  #version = 0;
  readonly #listeners = new Set<() => void>();
  readonly #spill: SegmentSpill;
  readonly #onShortened: (sentence: string) => void;
  #saidShortened = false;

  constructor(options: SegmentStoreOptions = {}) {
    const { windowSeconds = 60 } = options;
    const { folder, maxMemoryBytes = defaultMaxMemoryBytes, onShortened = () => {} } = options;
    this.#onShortened = onShortened;
    this.#spill = new SegmentSpill({ folder, maxMemoryBytes, onLost: (segment, error) => this.#lose(segment.msn, error) });
    this.#windowSeconds = windowSeconds;
    this.#places = new SegmentPlaces(options);
  }

  /** The segments of the playlist, oldest first. */
  get segments(): readonly StoredSegment[] {
    return this.#segments;
  }

  /** The segment after those, as far as it is there. */
  get open(): OpenSegment | undefined {
    return this.#open;
  }

  /** Whether there is anything that a player may ask for. */
  get playable(): boolean {
    return this.#segments.length > 0 || this.#departed.length > 0;
  }

  /** `EXT-X-TARGETDURATION`, in whole seconds: never shrinks from the first segment to the end (RFC 8216 §6.2.1). */
  get targetDurationSeconds(): number {
    return this.#targetDurationSeconds;
  }

  /** `PART-TARGET` of `EXT-X-PART-INF`: no part of the playlist is longer. Undefined where it has no parts. */
  get partTargetSeconds(): number | undefined {
    const parts = [
      ...this.#segments.slice(-this.partSegments).flatMap((segment) => segment.parts),
      ...(this.#open?.parts ?? []),
    ];
    if (parts.length === 0) return undefined;
    return parts.reduce((most, part) => Math.max(most, part.targetSeconds, part.durationSeconds), 0);
  }

  /** How many of the newest segments of the playlist are offered in parts too. */
  get partSegments(): number {
    return this.#countNewest(partTargetDurations);
  }

  /** How many of the newest segments reach back this many target durations from the end of the playlist. */
  #countNewest(targetDurations: number): number {
    let seconds = this.#open?.parts.reduce((sum, part) => sum + part.durationSeconds, 0) ?? 0;
    let count = 0;
    // From the end, and no copy: a window of hours is long, and every request asks.
    for (let index = this.#segments.length - 1; index >= 0; index -= 1) {
      if (seconds >= targetDurations * this.#targetDurationSeconds) break;
      seconds += this.#segments[index]?.durationSeconds ?? 0;
      count += 1;
    }
    return count;
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
    return this.#places.nextMediaSequence;
  }

  /** The discontinuity sequence number of the newest segment. To be kept beyond the life of the process. */
  get discontinuitySequence(): number {
    return this.#places.discontinuitySequence;
  }

  /** Calls `listener` whenever something was added, or the playlist ended; returns the undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Begins the next segment, at the given place or the next one.
   *
   * After {@link end} it begins the playlist anew: players have stopped reloading the old one, and who joins now must not be
   * shown the end of the broadcast before.
   */
  begin(start: SegmentStart): SegmentPlace {
    const restarted = this.#ended || this.#segments.length === 0;
    if (this.#ended) {
      for (const old of this.#segments.splice(0)) this.#depart(old);
      this.#targetDurationSeconds = minTargetDurationSeconds;
      this.#longestPlaylistSeconds = 0;
      this.#ended = false;
      this.#places.restart();
    }
    const place = this.#places.begin({ ...start, discontinuity: start.discontinuity || restarted });
    const { place: _, ...head } = start;
    this.#open = { ...head, ...place, parts: [] };
    return place;
  }

  /** Adds the next part of the segment that was begun. */
  addPart(part: PackagedPart): void {
    this.#open?.parts.push(part);
    this.#changed();
  }

  /** The begun segment is whole. */
  complete(segment: PackagedSegment): void {
    const open = this.#open;
    if (open === undefined) throw new Error('Only a segment that was begun can be completed.');
    this.#open = undefined;
    this.#places.complete(segment);
    const { msn, discontinuity, discontinuitySequence, shiftMs } = open;
    const { place: _, ...media } = segment;
    this.#add({ ...media, msn, discontinuity, discontinuitySequence, shiftMs });
  }

  /** Adds the next segment at once, and lets go what is too old. */
  append(segment: PackagedSegment): StoredSegment {
    this.begin(segment);
    this.complete(segment);
    return this.#segments.at(-1) as StoredSegment;
  }

  /** Adds a segment that this rendition does not have; none stands before its first one. */
  appendGap({ place, ...times }: SegmentGap): void {
    const before = this.#segments.at(-1);
    if (before === undefined || this.#ended || place.msn < this.#places.nextMediaSequence) return;
    const nothing = { parts: [], sizeBytes: 0, videoFrames: 0, videoBytes: 0, independent: true, gap: true };
    this.#places.take(place);
    this.#add({ init: before.init, ...nothing, ...place, ...times });
  }

  #add(segment: StoredSegment): void {
    this.#segments.push(segment);
    this.#targetDurationSeconds = Math.max(this.#targetDurationSeconds, Math.round(segment.durationSeconds));
    this.#shorten(segment.durationSeconds);
    const withParts = this.#countNewest(2 * partTargetDurations) + 1;
    this.#spill.balance([...this.#departed.map((departed) => departed.segment), ...this.#segments], withParts);
    this.#changed();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of [...this.#listeners]) listener();
  }

  /** The session has really ended: the playlist is complete. A segment that was begun and never completed is let go. */
  end(): void {
    const abandoned = this.#open !== undefined;
    this.#open = undefined;
    if (this.#ended || (this.#segments.length === 0 && !abandoned)) return;
    this.#ended = this.#segments.length > 0;
    this.#changed();
  }

  /** A segment of the playlist, or one that left it not long ago. */
  findSegment(msn: number): StoredSegment | undefined {
    const first = this.#segments[0];
    if (first !== undefined && msn >= first.msn) return this.#segments[msn - first.msn];
    return this.#departed.find(({ segment }) => segment.msn === msn)?.segment;
  }

  /** A part of a segment that is here, being filled, or the next. */
  findPart(msn: number, index: number): FoundPart {
    const open = this.#open?.msn === msn ? this.#open : undefined;
    const part = (open ?? this.findSegment(msn))?.parts[index];
    if (part !== undefined) return { kind: 'here', part };
    const next = open ? index === open.parts.length : !this.#open && msn === this.#places.nextMediaSequence && index === 0;
    return { kind: next && !this.#ended ? 'later' : 'never' };
  }

  /**
   * Whether the playlist has this segment, or this part of it or a later one: an index beyond the segment's last part stands for
   * the first part of the next segment (rfc8216bis §6.2.5.2).
   */
  has(msn: number, partIndex?: number): boolean {
    const last = this.#segments.at(-1);
    if (last !== undefined && msn < last.msn) return true;
    if (last?.msn === msn && (partIndex === undefined || partIndex < last.parts.length)) return true;
    const open = this.#open;
    if (partIndex === undefined || open === undefined || open.parts.length === 0) return false;
    return msn < open.msn || (msn === open.msn && partIndex < open.parts.length);
  }

  /** The init segment with this id, as long as a segment needs it. */
  findInit(id: string): InitSegment | undefined {
    if (this.#open?.init.id === id) return this.#open.init;
    const used =
      this.#segments.find(({ init }) => init.id === id) ??
      this.#departed.find(({ segment }) => segment.init.id === id)?.segment;
    return used?.init;
  }

  /** Takes out of the playlist what the window no longer holds, and lets go what nobody may ask for any more. */
  #shorten(addedSeconds: number): void {
    for (const departed of this.#departed) departed.keepSeconds -= addedSeconds;
    for (const { segment, keepSeconds } of this.#departed) if (keepSeconds <= 0) this.#spill.forget(segment);
    this.#departed = this.#departed.filter(({ keepSeconds }) => keepSeconds > 0);
    let playlistSeconds = totalSeconds(this.#segments);
    this.#longestPlaylistSeconds = Math.max(this.#longestPlaylistSeconds, playlistSeconds);
    for (;;) {
      const oldest = this.#segments[0];
      if (oldest === undefined || this.#segments.length <= minSegments) return;
      if (playlistSeconds - oldest.durationSeconds < this.#windowSeconds) return;
      this.#saidShortened = false;
      this.#segments.shift();
      playlistSeconds -= oldest.durationSeconds;
      this.#depart(oldest);
    }
  }

  /** There is room for this segment neither in memory nor on disk: it goes, and all that is older. */
  #lose(msn: number, error: unknown): void {
    const lost = [...this.#departed.map(({ segment }) => segment), ...this.#segments].filter((segment) => segment.msn <= msn);
    for (const segment of lost) this.#spill.forget(segment);
    this.#departed = this.#departed.filter(({ segment }) => segment.msn > msn);
    const wasOffered = this.#segments.some((segment) => segment.msn <= msn);
    this.#segments = this.#segments.filter((segment) => segment.msn > msn);
    if (!wasOffered) return;
    if (!this.#saidShortened) this.#onShortened(describeLoss(error));
    this.#saidShortened = true;
    this.#changed();
  }

  /** Deletes what is on disk, and writes nothing more: nobody plays from this store any more, though an encoder may still fill it. */
  close(): void {
    this.#departed = [];
    this.#segments = [];
    this.#spill.close();
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
