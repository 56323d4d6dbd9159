import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SideBySide } from '../lib/side-by-side.ts';
import { writeBuffers } from '../lib/write-buffers.ts';
import { type DiskPorts, DiskReserve } from './disk-reserve.ts';

/** A folder on disk for the segments of one rendition. */
export interface SegmentFolder {
  /**
   * Calls `makeRoom` when this many bytes of segments must be removed at once, so that part of the disk stays free ({@link
   * DiskReserve}).
   */
  onShortage(makeRoom: (missingBytes: number) => void): void;
  /**
   * Writes a segment, part after part, and resolves with its absolute path. A {@link DiskReserve} may refuse it. It may wait for the
   * writes of other segments; if the signal aborts meanwhile, it rejects and nothing is written.
   */
  write(msn: number, buffers: readonly Buffer[], signal?: AbortSignal): Promise<string>;
  /** Deletes it; never rejects. */
  remove(path: string): Promise<void>;
  /** Deletes all of them, even those being written; never rejects. */
  close(): Promise<void>;
}

/** Stores segments that don't fit into memory, in `segments/<run>/` below the data folder, readable by the user only. */
export interface SegmentArchive {
  createFolder(): SegmentFolder;
  /** Deletes everything of this run, once writes in progress are done; may be called twice. */
  close(): Promise<void>;
}

/**
 * How many segments of all renditions are written side by side. Each has a file open, and hundreds may have to go to disk at once, such as
 * when a stream goes on air and takes its share of the memory. Node's pool writes four at a time.
 */
const maxSideBySide = 16;

/** The file that marks a folder as ours, so that the next run deletes it: nothing else in `segments` is touched. */
const markName = 'tallylight-run';

/**
 * Opens the archive, and deletes the segments of earlier runs in the background: a slow disk takes long to delete hours of
 * segments, and nothing is on air before the service has started.
 */
export async function openSegmentArchive(dataFolder: string, write = writeBuffers, disk?: DiskPorts): Promise<SegmentArchive> {
  const root = join(dataFolder, 'segments');
  const reserve = new DiskReserve(root, disk);
  const leftRuns = await findLeftRuns(root);
  let isClosing = false;
  const removing = (async () => {
    for (const left of leftRuns) await removeRun(left, () => isClosing);
  })();
  const run = join(root, randomUUID());
  const makeRun = async () => {
    // Never create the data folder: if it has vanished, it must not come back without its store.
    for (const folder of [root, run]) await makeOne(folder);
    await writeFile(join(run, markName), '', { mode: 0o600 });
  };
  let making: Promise<void> | undefined;
  /** Creates the run's folder with the first segment of each rendition: somebody may have deleted it in the meantime. */
  const prepare = () => {
    making ??= makeRun().finally(() => {
      making = undefined;
    });
    return making;
  };
  const sideBySide = new SideBySide(maxSideBySide);
  let folders = 0;
  const open = new Set<SegmentFolder>();
  return {
    createFolder() {
      folders += 1;
      const folder = openFolder(join(run, String(folders)), { prepare, write, reserve, sideBySide });
      open.add(folder);
      return { ...folder, close: () => folder.close().finally(() => open.delete(folder)) };
    },
    async close() {
      isClosing = true;
      await Promise.all([...open].map((folder) => folder.close()));
      await Promise.all([removeQuietly(run), removing]);
      await removeEmpty(root);
    },
  };
}

/** The folders that earlier runs marked. If `root` can't be read, none: writing to it will report the fault. */
async function findLeftRuns(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    // A link is not ours, wherever it points.
    if (!entry.isDirectory()) continue;
    const folder = join(root, entry.name);
    const mark = await lstat(join(folder, markName)).catch(() => undefined);
    if (mark?.isFile() === true) found.push(folder);
  }
  return found;
}

/** Deletes a run's folder, segment by segment until `isOver`. The mark goes last, so that the next start deletes the rest. */
async function removeRun(folder: string, isOver: () => boolean): Promise<void> {
  for (const rendition of await readdir(folder).catch(() => [])) {
    if (rendition === markName) continue;
    for (const segment of await readdir(join(folder, rendition)).catch(() => [])) {
      if (isOver()) return;
      await removeFile(join(folder, rendition, segment));
    }
  }
  if (!isOver()) await removeQuietly(folder);
}

async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

async function makeOne(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

interface FolderOptions {
  prepare: () => Promise<void>;
  write: typeof writeBuffers;
  reserve: DiskReserve;
  sideBySide: SideBySide;
}

function openFolder(folder: string, { prepare, write, reserve, sideBySide }: FolderOptions): SegmentFolder {
  /** Sizes by path. */
  const sizesBytes = new Map<string, number>();
  let makeRoom: (missingBytes: number) => void = () => {};
  const share = reserve.openShare((missingBytes) => makeRoom(missingBytes));
  const writing = new Set<Promise<void>>();
  let isMade = false;
  const make = async () => {
    await prepare();
    await makeOne(folder);
    isMade = true;
  };
  const writeSegment = async (path: string, buffers: readonly Buffer[]) => {
    if (!isMade) await make();
    const sizeBytes = buffers.reduce((sum, { length }) => sum + length, 0);
    await share.take(sizeBytes);
    sizesBytes.set(path, sizeBytes);
    try {
      await write(path, buffers).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        // Somebody deleted the folder.
        await make();
        await write(path, buffers);
      });
    } catch (error) {
      await remove(path);
      throw error;
    }
  };
  const remove = async (path: string) => {
    const sizeBytes = sizesBytes.get(path) ?? 0;
    sizesBytes.delete(path);
    await share.giveBack(sizeBytes, removeFile(path));
  };
  return {
    onShortage(callback) {
      makeRoom = callback;
    },
    async write(msn, buffers, signal) {
      const path = join(folder, `${msn}.m4s`);
      const written = sideBySide.run(() => writeSegment(path, buffers), signal);
      writing.add(written);
      await written.finally(() => writing.delete(written));
      return path;
    },
    remove,
    async close() {
      await Promise.allSettled(writing);
      await removeQuietly(folder);
      sizesBytes.clear();
      share.close();
    },
  };
}

/** If it can't be deleted now, the next start deletes it. Not by `rm`, which would stat it twice first. */
async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}

/** If it cannot be deleted now, the next start deletes it. */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}
