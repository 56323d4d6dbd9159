import { statfs } from 'node:fs/promises';

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

/** Keeps part of this folder's disk free. */
export class DiskReserve {
  readonly #folder: string;
  readonly #disk: DiskPorts;
  /** What may still be taken; negative if other programs have taken of the reserve. */
  #roomBytes = Number.POSITIVE_INFINITY;
  #looked: { atMs: number; done: Promise<void> } | undefined;

  constructor(folder: string, disk: DiskPorts = ownDisk) {
    this.#folder = folder;
    this.#disk = disk;
  }

  /** Takes room for a write. @throws ENOSPC, as a full disk would, with the `missingBytes` that have to be deleted before */
  async take(bytes: number): Promise<void> {
    await this.#look();
    const missingBytes = bytes - this.#roomBytes;
    if (missingBytes > 0) throw Object.assign(new Error('The disk is almost full.'), { code: 'ENOSPC', missingBytes });
    this.#roomBytes -= bytes;
  }

  /** What was taken was deleted or not written. */
  giveBack(bytes: number): void {
    this.#roomBytes += bytes;
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

/** How much has to be deleted for a refused write; 0 if the disk itself refused it, which doesn't say. */
export function missingBytesOf(error: unknown): number {
  return error instanceof Error && 'missingBytes' in error ? Number(error.missingBytes) : 0;
}
