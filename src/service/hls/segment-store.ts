import { createListeners } from '../../shared/listeners.ts';
import { countNewest, totalSeconds } from './count-newest.ts';
import { EarlyGaps } from './early-gaps.ts';
import type {
  InitSegment,
  PackagedPart,
  PackagedSegment,
  SegmentGap,
  SegmentPlace,
  SegmentSink,
  SegmentStart,
} from './packaged-segment.ts';
import type { PlaylistTargets } from './playlist-targets.ts';
import { SegmentPlaces } from './segment-places.ts';
import { SegmentWindow } from './segment-window.ts';
import {
  emptySegment,
  type FillingSegment,
  type FoundPart,
  type SegmentStoreOptions,
  type StoredSegment,
} from './stored-segment.ts';

/** Parts leave the playlist this many target durations behind its end, and may be asked for as long again (rfc8216bis §6.2.2). */
const partTargetDurations = 3;
/**
 * With long GOPs at a high bitrate, six target durations are gigabytes. The parts that players ask for at the live edge take far
 * less.
 */
const defaultMaxEdgeBytes = 512 * 1024 * 1024;

/** `partsOver`: no more parts with media will come. */
type WritableSegment = FillingSegment & { parts: PackagedPart[]; partsOver?: boolean };

/**
 * The segments of one rendition and the state of its playlist: numbers, promises, gaps, the open segment, the end.
 *
 * It outlives publishers and sessions, so that media sequence and discontinuity sequence numbers never go back. Its times are
 * those of the media: it reads no clock.
 */
export class SegmentStore implements SegmentSink {
  readonly #window: SegmentWindow;
  readonly #maxEdgeBytes: number;
  #open: WritableSegment | undefined;
  readonly #earlyGaps: EarlyGaps;
  #targets: PlaylistTargets | undefined;
  /** Gives their places to the segments of a source that is packaged into this store. */
  readonly places: SegmentPlaces;
  #nextMediaSequence: number;
  #discontinuitySequence: number;
  #ended = false;
  #away = false;
  #version = 0;
  readonly #listeners = createListeners();

  constructor(options: SegmentStoreOptions) {
    const { windowSeconds, folder, memory, onShortened } = options;
    this.#maxEdgeBytes = options.maxEdgeBytes ?? defaultMaxEdgeBytes;
    this.#window = new SegmentWindow({
      windowSeconds,
      folder,
      memory,
      onLost: ({ diskFull, isFirst }) => {
        if (isFirst) onShortened({ diskFull });
        this.#changed();
      },
    });
    this.#earlyGaps = new EarlyGaps(windowSeconds);
    this.places = new SegmentPlaces(options);
    this.#nextMediaSequence = options.firstMediaSequence ?? 0;
    this.#discontinuitySequence = options.firstDiscontinuitySequence ?? 0;
  }

  /** The segments of the playlist, oldest first. */
  get segments(): readonly StoredSegment[] {
    return this.#window.segments;
  }

  /** The segment after those, as far as it has been made. */
  get open(): FillingSegment | undefined {
    return this.#open;
  }

  /** Whether there is anything that a player may ask for. */
  get playable(): boolean {
    return !this.#window.isEmpty;
  }

  get targets(): PlaylistTargets | undefined {
    // Without a segment, no player has seen the promise.
    return this.segments.length > 0 && !this.#ended ? this.#targets : undefined;
  }

  /** `EXT-X-TARGETDURATION`, in whole seconds: never changes from the first segment to the end (rfc8216bis §6.2.1). */
  get targetDurationSeconds(): number {
    return this.#targets?.durationSeconds ?? 1;
  }

  /** `PART-TARGET` of `EXT-X-PART-INF`, which never changes either. Undefined if no segment has had parts. */
  get partTargetSeconds(): number | undefined {
    return this.#targets && this.#targets.partMs / 1000;
  }

  /** How long a playlist that has ended stays: for its window, or for as long as it takes to play all of it (rfc8216bis §6.2.2). */
  get staysSeconds(): number {
    return Math.max(this.#window.windowSeconds, totalSeconds(this.segments));
  }

  /** How many of the newest segments are offered in parts too. */
  get partSegments(): number {
    return this.#countNewest(partTargetDurations);
  }

  /** How many of the newest segments reach back this many target durations from the end of the playlist. */
  #countNewest(targetDurations: number): number {
    const openSeconds = this.#open === undefined ? 0 : totalSeconds(this.#open.parts);
    return countNewest(this.segments, targetDurations * this.targetDurationSeconds, openSeconds);
  }

  /** Whether the playlist is complete and says `EXT-X-ENDLIST`. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the multivariant playlist offers this rendition: it can be played, and is being made. */
  get offered(): boolean {
    return !this.#ended && !this.#away && this.segments.some(({ gap }) => !gap);
  }

  /** Whether the next part will come, as far as is known: players may ask for it early. */
  get expectsPart(): boolean {
    return this.#open === undefined ? !this.#away : !this.#open.partsOver;
  }

  /** Changes whenever the playlist does. */
  get version(): number {
    return this.#version;
  }

  /** The number of the next segment. Keep it beyond the life of the process. */
  get nextMediaSequence(): number {
    return this.#nextMediaSequence;
  }

  /** The discontinuity sequence number of the newest segment. Keep it beyond the life of the process. */
  get discontinuitySequence(): number {
    return this.#discontinuitySequence;
  }

  /** Calls `listener` whenever something is added, or the playlist ends; returns the undo. */
  onChange(listener: () => void): () => void {
    return this.#listeners.on(listener);
  }

  /**
   * Begins the next segment.
   *
   * After {@link end} this starts a new playlist: players have stopped reloading the old one, and viewers who join now must not
   * see the end of the session before.
   */
  begin(start: SegmentStart): void {
    if (this.targets === undefined) {
      this.#targets = start.targets;
      this.#window.startPlaylist(this.targetDurationSeconds);
      this.#ended = false;
    }
    const { place, targets: _, ...head } = start;
    this.#follow(place);
    this.#open = { ...head, ...place, parts: [] };
  }

  /** Begins a segment that this rendition does not have. Before its first segment gaps are not reported. */
  beginGap({ place, ...times }: Omit<SegmentGap, 'durationSeconds'>): void {
    const before = this.segments.at(-1);
    if (before === undefined || this.#ended || place.msn < this.#nextMediaSequence) return;
    this.#follow(place);
    this.#open = { init: before.init, ...place, ...times, parts: [], gapAfter: 0, partsOver: true };
  }

  /** Adds the next part of the segment that was begun. */
  addPart(part: PackagedPart): void {
    if (this.#open === undefined) return;
    if (part.gap) this.#breakOpen(this.#open, true);
    this.#open.parts.push(part);
    this.#changed();
  }

  /** The begun segment will not be whole: the playlist says at once that it is a gap. `expectsPart`: one more part will come. */
  breakOff(expectsPart: boolean): void {
    if (this.#open === undefined) return;
    this.#breakOpen(this.#open, !expectsPart);
    this.#changed();
  }

  #breakOpen(open: WritableSegment, partsOver: boolean): void {
    open.gapAfter ??= open.parts.length;
    open.partsOver = partsOver;
  }

  /** No more media comes for now: the playlist continues with gaps, and is offered again from its next whole segment on. */
  leave(): void {
    if (this.#away || this.#ended) return;
    this.#away = true;
    if (this.#open && this.#open.gapAfter === undefined) this.#breakOpen(this.#open, true);
    this.#changed();
  }

  /** The begun segment is whole. */
  complete(segment: PackagedSegment): void {
    const open = this.#open;
    if (open === undefined) throw new Error('Only a segment that was begun can be completed.');
    this.#open = undefined;
    const { msn, discontinuity, discontinuitySequence, shiftMs, gapAfter } = open;
    const { place: _, targets: __, ...media } = segment;
    const parts = segment.gap ? open.parts : segment.parts;
    if (!segment.gap) this.#away = false;
    const before = this.segments.length === 0 ? this.#earlyGaps.takeBefore(msn, media.init) : [];
    const place = { msn, discontinuity, discontinuitySequence, shiftMs };
    const independentParts = [...parts.keys()].filter((index) => parts[index]?.independent);
    this.#add({ ...media, parts, independentParts, ...place, ...(gapAfter !== undefined && { gapAfter }) }, before);
  }

  /** Completes the gap that was begun, or adds a whole one. */
  appendGap({ durationSeconds, ...gap }: SegmentGap): void {
    if (this.segments.length === 0 && this.#open === undefined) {
      this.#earlyGaps.add({ durationSeconds, ...gap });
      return;
    }
    if (this.#open?.msn !== gap.place.msn) this.beginGap(gap);
    const open = this.#open;
    if (open?.msn !== gap.place.msn) return;
    this.#open = undefined;
    const { partsOver: _, ...head } = open;
    this.#add({ ...head, durationSeconds, ...emptySegment, parts: open.parts });
  }

  /** A segment took this place: continues the numbers from it. */
  #follow({ msn, discontinuitySequence }: SegmentPlace): void {
    this.#nextMediaSequence = msn + 1;
    this.#discontinuitySequence = discontinuitySequence;
  }

  #add(segment: StoredSegment, before: readonly StoredSegment[] = []): void {
    this.#window.append(segment, before);
    this.#window.balance(this.#countEdge());
    this.#changed();
  }

  /** How many of the newest segments stay in memory: those whose parts may be asked for, as far as they fit. */
  #countEdge(): number {
    const most = this.#countNewest(2 * partTargetDurations) + 1;
    let bytes = this.segments.at(-1)?.sizeBytes ?? 0;
    for (let count = 1; count < most; count += 1) {
      bytes += this.segments.at(-1 - count)?.sizeBytes ?? 0;
      if (bytes > this.#maxEdgeBytes) return count;
    }
    return most;
  }

  #changed(): void {
    this.#version += 1;
    this.#listeners.emit();
  }

  /** The session has ended: the playlist is complete. A segment that was begun and never completed is dropped. */
  end(): void {
    this.places.restart();
    const abandoned = this.#open !== undefined;
    this.#open = undefined;
    if (this.#ended || (this.segments.length === 0 && !abandoned)) return;
    this.#ended = this.segments.length > 0;
    this.#changed();
  }

  /** A segment of the playlist, or one that left it not long ago. */
  findSegment(msn: number): StoredSegment | undefined {
    return this.#window.find(msn);
  }

  /** A part of a whole segment, of the open one, or of the next. */
  findPart(msn: number, index: number): FoundPart {
    const open = this.#open?.msn === msn ? this.#open : undefined;
    const part = (open ?? this.findSegment(msn))?.parts[index];
    if (part?.gap) return { kind: 'never' };
    if (part !== undefined) return { kind: 'here', part };
    const isNext = open ? index === open.parts.length : !this.#open && msn === this.#nextMediaSequence && index === 0;
    const next = isNext && this.expectsPart;
    return { kind: next && !this.#ended ? 'later' : 'never' };
  }

  /**
   * Whether the playlist has this segment, or this part of it, or a later one. An index beyond the segment's last part means the first
   * part of the next segment (rfc8216bis §6.2.5.2).
   */
  has(msn: number, partIndex?: number): boolean {
    const last = this.segments.at(-1);
    if (last !== undefined && msn < last.msn) return true;
    if (last?.msn === msn && (partIndex === undefined || partIndex < last.parts.length)) return true;
    const open = this.#open;
    if (partIndex === undefined || open === undefined || open.parts.length === 0) return false;
    return msn < open.msn || (msn === open.msn && partIndex < open.parts.length);
  }

  /** The init segment with this id, as long as a segment needs it. */
  findInit(id: string): InitSegment | undefined {
    return this.#open?.init.id === id ? this.#open.init : this.#window.findInit(id);
  }

  /** Deletes the segments on disk, and writes no more: nobody plays from this store, though an encoder may still fill it. */
  close(): void {
    this.#window.close();
  }
}
