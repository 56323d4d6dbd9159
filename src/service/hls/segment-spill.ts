import { runHarmlessly } from '../lib/faults.ts';
import { codeOf } from '../lib/read-error.ts';
import { mediaBlocks } from '../media/media-blocks.ts';
import type { MemoryShare } from './media-memory.ts';
import type { PackagedPart } from './packaged-segment.ts';
import type { SegmentFolder } from './segment-archive.ts';

/** A segment's media, in memory or on disk. */
export interface SpillableSegment {
  msn: number;
  sizeBytes: number;
  parts: readonly PackagedPart[];
  /** Its path on disk; then it has no parts any more. */
  path?: string;
}

export interface SegmentSpillOptions {
  folder: SegmentFolder | undefined;
  memory: MemoryShare;
  /** Memory and disk are full: this segment and older ones must go. */
  onLost: (segment: SpillableSegment, why: { diskFull: boolean }) => void;
}

/** Keeps the media of one rendition within its share of memory: the oldest segments go to disk. Nothing waits for the writes. */
export class SegmentSpill {
  readonly #options: SegmentSpillOptions;
  /** Segments that are being written or wait for it; aborting ends the wait. */
  readonly #writing = new Map<SpillableSegment, AbortController>();
  /** Segments on disk, oldest first. */
  readonly #onDisk = new Set<SpillableSegment>();
  readonly #forgotten = new WeakSet<SpillableSegment>();
  #losses = 0;
  #closed = false;

  constructor(options: SegmentSpillOptions) {
    this.#options = options;
    options.folder?.onShortage((missingBytes) => this.#makeRoom(missingBytes));
  }

  /** Balances all segments, oldest first; the last `keep` stay in memory. */
  balance(segments: readonly SpillableSegment[], keep: number): void {
    if (this.#closed) return;
    const { folder, memory, onLost } = this.#options;
    const { maxBytes } = memory;
    const inMemory = segments.filter((segment) => segment.path === undefined);
    const spillable = inMemory.splice(0, Math.max(inMemory.length - keep, 0));
    const keptBytes = totalBytes(inMemory);
    let bytes = keptBytes + totalBytes(spillable);
    // A disk that is too slow counts as full; segments that must stay in memory do not count against it.
    const isTooSlow = bytes > Math.max(keptBytes, maxBytes) + memory.maxWaitingBytes;
    for (const segment of spillable) {
      if (bytes <= maxBytes) break;
      // A gap has nothing to write, and the parts that it began with can't be asked for any more.
      if (segment.sizeBytes === 0) giveBackMedia(segment);
      else if (folder === undefined || isTooSlow) onLost(segment, { diskFull: false });
      else if (!this.#writing.has(segment)) runHarmlessly(() => this.#write(segment, folder), 'writing a segment');
      bytes -= segment.sizeBytes;
    }
    memory.note(bytes, Math.max(bytes - keptBytes, 0));
  }

  /** The segment can't be asked for any more: frees its media at once, or once it is no longer being written. */
  forget(segment: SpillableSegment): void {
    this.#forgotten.add(segment);
    const writing = this.#writing.get(segment);
    if (writing === undefined) giveBackMedia(segment);
    else writing.abort();
    this.#onDisk.delete(segment);
    const { path } = segment;
    if (path !== undefined) runHarmlessly(() => this.#options.folder?.remove(path), 'deleting a segment');
  }

  /** No segment can be asked for any more: deletes them all. */
  close(): void {
    this.#closed = true;
    for (const writing of this.#writing.values()) writing.abort();
    this.#onDisk.clear();
    this.#options.memory.close();
    runHarmlessly(() => this.#options.folder?.close(), 'deleting segments');
  }

  async #write(segment: SpillableSegment, folder: SegmentFolder): Promise<void> {
    const { memory } = this.#options;
    const writing = new AbortController();
    this.#writing.set(segment, writing);
    memory.addWaiting(segment.sizeBytes);
    const losses = this.#losses;
    try {
      const path = await folder.write(
        segment.msn,
        segment.parts.map(({ bytes }) => bytes),
        writing.signal,
      );
      if (this.#closed) return;
      if (this.#forgotten.has(segment)) return await folder.remove(path);
      segment.path = path;
      giveBackMedia(segment);
      this.#onDisk.add(segment);
    } catch (error) {
      // However many writes fail together, drop only the oldest segment on disk, or else this one. The next segment retries the
      // rest.
      if (this.#closed || this.#forgotten.has(segment) || losses !== this.#losses) return;
      this.#losses += 1;
      const [oldest = segment] = this.#onDisk;
      this.#options.onLost(oldest, { diskFull: isDiskFull(error) });
    } finally {
      this.#writing.delete(segment);
      if (this.#forgotten.has(segment)) giveBackMedia(segment);
      memory.addWaiting(-segment.sizeBytes);
    }
  }

  /** Drops the oldest segments on disk, all at once, until this many bytes are free. */
  #makeRoom(missingBytes: number): void {
    let newestLost: SpillableSegment | undefined;
    let lostBytes = 0;
    for (const segment of this.#onDisk) {
      newestLost = segment;
      lostBytes += segment.sizeBytes;
      if (lostBytes >= missingBytes) break;
    }
    if (newestLost !== undefined) this.#options.onLost(newestLost, { diskFull: true });
  }
}

function giveBackMedia(segment: SpillableSegment): void {
  if (segment.parts.length === 0) return;
  mediaBlocks.giveBack(segment.parts.map(({ bytes }) => bytes));
  segment.parts = [];
}

function totalBytes(segments: readonly SpillableSegment[]): number {
  return segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Whether the disk, or our quota, is full. */
function isDiskFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
