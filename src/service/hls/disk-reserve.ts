import { statfs } from 'node:fs/promises';
import { runHarmlessly } from '../lib/faults.ts';

/** How much of the disk is left to everything else, such as the store and the recordings of other programs. */
const reservedBytes = 2 * 1024 ** 3;
/** Of a small disk, this part of it. */
const reservedShare = 0.05;
/** How long an answer of the disk counts. */
const trustMs = 5_000;

/** What the disk is asked, and the time. */
export interface DiskPorts {
  /** `bavail` and `blocks` are free and all blocks of `bsize` bytes (statvfs, POSIX). */
  statfs(path: string): Promise<{ bsize: number; blocks: number; bavail: number }>;
  nowMs(): number;
}

const ownDisk: DiskPorts = { statfs, nowMs: () => performance.now() };

/** What one rendition has on the disk. */
export interface DiskShare {
  /**
   * Takes room for a write. If there is none, all renditions are asked to make it.
   *
   * @throws ENOSPC, as a full disk would, if they couldn't
   */
  take(bytes: number): Promise<void>;
  /** What was taken was deleted or not written. */
  giveBack(bytes: number): void;
  /** All of it was deleted. */
  close(): void;
}

interface Holder {
  bytes: number;
  onShortage: (missingBytes: number) => void;
}

/** Keeps part of this folder's disk free. */
export class DiskReserve {
  readonly #folder: string;
  readonly #disk: DiskPorts;
  readonly #holders = new Set<Holder>();
  /** What may still be taken; negative if other programs have taken of the reserve. */
  #roomBytes = Number.POSITIVE_INFINITY;
  #looked: { atMs: number; done: Promise<void> } | undefined;

  constructor(folder: string, disk: DiskPorts = ownDisk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** `onShortage` must give back this much, if it has as much. */
  openShare(onShortage: (missingBytes: number) => void): DiskShare {
    const holder: Holder = { bytes: 0, onShortage };
    this.#holders.add(holder);
    const giveBack = (bytes: number) => {
      holder.bytes -= bytes;
      this.#roomBytes += bytes;
    };
    return {
      take: async (bytes) => {
        await this.#look();
        if (bytes > this.#roomBytes) this.#makeRoom(bytes - this.#roomBytes);
        if (bytes > this.#roomBytes) throw Object.assign(new Error('The disk is almost full.'), { code: 'ENOSPC' });
        this.#roomBytes -= bytes;
        holder.bytes += bytes;
      },
      giveBack,
      close: () => {
        giveBack(holder.bytes);
        this.#holders.delete(holder);
      },
    };
  }

  /** Asks each for its part of what is missing, by what it has on the disk: so all lose about as many seconds, whatever their bitrate. */
  #makeRoom(missingBytes: number): void {
    const holders = [...this.#holders].filter(({ bytes }) => bytes > 0);
    const heldBytes = holders.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { bytes, onShortage } of holders) {
      const partBytes = Math.ceil(missingBytes * (bytes / heldBytes));
      runHarmlessly(() => onShortage(partBytes), 'making room on the disk');
    }
  }

  #look(): Promise<void> {
    const atMs = this.#disk.nowMs();
    if (this.#looked === undefined || atMs - this.#looked.atMs >= trustMs) this.#looked = { atMs, done: this.#measure() };
    return this.#looked.done;
  }

  async #measure(): Promise<void> {
    // A file system that cannot say refuses the write itself when it is full. Some say that they have no blocks at all.
    const found = await this.#disk.statfs(this.#folder).catch(() => undefined);
    this.#roomBytes =
      found === undefined || found.blocks === 0
        ? Number.POSITIVE_INFINITY
        : found.bsize * found.bavail - Math.min(reservedBytes, found.bsize * found.blocks * reservedShare);
  }
}
