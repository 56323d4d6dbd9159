import { statfs } from 'node:fs/promises';
import { runHarmlessly } from '../lib/faults.ts';
import { RecentGrowth } from '../lib/recent-growth.ts';

/** How much of the disk stays free for everything else, such as the store and the recordings of other programs. */
const reservedBytes = 2 * 1024 ** 3;
/** At most this share of a small disk. */
const reservedShare = 0.05;
/** How long a measurement of the free space stays valid. */
const trustMs = 5_000;
/** btrfs counts deleted files as used until its next commit, by default every 30 s (btrfs(5), `commit`). */
const btrfs = { type: 0x9123683e, lateMs: 35_000 };

/** The disk's free space, and the time. */
export interface DiskPorts {
  /** `bavail` and `blocks` are free and all blocks of `bsize` bytes (statvfs, POSIX); `type` is the file system's magic number on Linux. */
  statfs(path: string): Promise<{ type: number; bsize: number; blocks: number; bavail: number }>;
  nowMs(): number;
}

const ownDisk: DiskPorts = { statfs, nowMs: () => performance.now() };

/** The room that one rendition takes on the disk. */
export interface DiskShare {
  /**
   * Takes room for a write. If there is none, all renditions are asked to make it.
   *
   * @throws ENOSPC, as a full disk would, if they couldn't
   */
  take(bytes: number): Promise<void>;
  /**
   * Room taken before whose file is being deleted, or was never written: it counts as free at once. Resolves once `deletion`
   * does.
   */
  giveBack(bytes: number, deletion: Promise<void>): Promise<void>;
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
  /** How much may still be taken; negative if other programs use part of the reserve. */
  #roomBytes = Number.POSITIVE_INFINITY;
  #givenBackBytes = 0;
  /** The part of it that isn't deleted yet. */
  #deletingBytes = 0;
  readonly #givenBack = new RecentGrowth(btrfs.lateMs);
  #looked: { atMs: number; done: Promise<void> } | undefined;

  constructor(folder: string, disk: DiskPorts = ownDisk) {
    this.#folder = folder;
    this.#disk = disk;
    this.#givenBack.note(0, disk.nowMs());
  }

  /** `onShortage` must give back this much, or all that it has. */
  openShare(onShortage: (missingBytes: number) => void): DiskShare {
    const holder: Holder = { bytes: 0, onShortage };
    this.#holders.add(holder);
    const free = (bytes: number) => {
      holder.bytes -= bytes;
      this.#roomBytes += bytes;
      this.#givenBackBytes += bytes;
      this.#givenBack.note(this.#givenBackBytes, this.#disk.nowMs());
    };
    return {
      take: async (bytes) => {
        await this.#look();
        if (bytes > this.#roomBytes) this.#makeRoom(bytes - this.#roomBytes);
        if (bytes > this.#roomBytes) throw Object.assign(new Error('The disk is almost full.'), { code: 'ENOSPC' });
        this.#roomBytes -= bytes;
        holder.bytes += bytes;
      },
      giveBack: async (bytes, deletion) => {
        free(bytes);
        this.#deletingBytes += bytes;
        await deletion;
        this.#deletingBytes -= bytes;
      },
      close: () => {
        free(holder.bytes);
        this.#holders.delete(holder);
      },
    };
  }

  /** Asks each share for its portion, by its size on the disk: so all lose about as many seconds, whatever their bitrate. */
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
    const deletingBytes = this.#deletingBytes;
    // A file system that can't tell will refuse the write itself when it is full. Some claim to have no blocks at all.
    const found = await this.#disk.statfs(this.#folder).catch(() => undefined);
    if (found === undefined || found.blocks === 0) {
      this.#roomBytes = Number.POSITIVE_INFINITY;
      return;
    }
    const roomBytes = found.bsize * found.bavail - Math.min(reservedBytes, found.bsize * found.blocks * reservedShare);
    const lateBytes = found.type === btrfs.type ? this.#givenBack.read(this.#disk.nowMs()) : deletingBytes;
    // Files being deleted count towards the reserve, but not as room for more: the system may count some as free already.
    this.#roomBytes = Math.max(roomBytes, Math.min(roomBytes + lateBytes, 0));
  }
}
