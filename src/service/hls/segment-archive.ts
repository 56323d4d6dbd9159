import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A place on disk for the segments of one rendition. */
export interface SegmentFolder {
  /** Writes a segment, parts one after another, and resolves with its absolute path. */
  write(msn: number, buffers: readonly Buffer[]): Promise<string>;
  /** Deletes it; never rejects. */
  remove(path: string): Promise<void>;
  /** Deletes all of them, those that are being written too; never rejects. */
  close(): Promise<void>;
}

/** Where segments go that the memory has no room for: `segments/<run>/` below the data folder, for the user alone. */
export interface SegmentArchive {
  createFolder(): SegmentFolder;
  /** Deletes everything of this run, once what is being written is there; may be called twice. */
  close(): Promise<void>;
}

/** Opens it, and deletes what an earlier run has left. */
export async function openSegmentArchive(dataFolder: string, write: typeof writeFile = writeFile): Promise<SegmentArchive> {
  const root = join(dataFolder, 'segments');
  await rm(root, { recursive: true, force: true });
  const run = join(root, randomUUID());
  let folders = 0;
  const open = new Set<SegmentFolder>();
  return {
    createFolder() {
      folders += 1;
      const folder = openFolder(join(run, String(folders)), write);
      open.add(folder);
      return { ...folder, close: () => folder.close().then(() => void open.delete(folder)) };
    },
    async close() {
      await Promise.all([...open].map((folder) => folder.close()));
      await rm(root, { recursive: true, force: true });
    },
  };
}

function openFolder(folder: string, write: typeof writeFile): SegmentFolder {
  const writing = new Set<Promise<void>>();
  const writeSegment = async (path: string, buffers: readonly Buffer[]) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await write(path, buffers, { mode: 0o600 });
    } catch (error) {
      await removeQuietly(path);
      throw error;
    }
  };
  return {
    async write(msn, buffers) {
      const path = join(folder, `${msn}.m4s`);
      const written = writeSegment(path, buffers);
      writing.add(written);
      await written.finally(() => writing.delete(written));
      return path;
    },
    remove: removeQuietly,
    async close() {
      await Promise.allSettled(writing);
      await removeQuietly(folder);
    },
  };
}

/** What cannot be deleted now is deleted at the next start. */
async function removeQuietly(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}
