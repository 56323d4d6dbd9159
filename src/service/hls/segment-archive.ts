import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A place on disk for the segments of one rendition. */
export interface SegmentFolder {
  /** Writes a segment, parts one after another, and resolves with its absolute path. */
  write(msn: number, buffers: readonly Buffer[]): Promise<string>;
  remove(path: string): Promise<void>;
}

/** Where segments go that the memory has no room for: `segments/<run>/` below the data folder, for the user alone. */
export interface SegmentArchive {
  createFolder(): SegmentFolder;
  /** Deletes everything of this run; may be called twice. */
  close(): Promise<void>;
}

/** Opens it, and deletes what an earlier run has left. */
export async function openSegmentArchive(dataFolder: string, write: typeof writeFile = writeFile): Promise<SegmentArchive> {
  const root = join(dataFolder, 'segments');
  await rm(root, { recursive: true, force: true });
  const run = join(root, randomUUID());
  let folders = 0;
  return {
    createFolder() {
      folders += 1;
      const folder = join(run, String(folders));
      return {
        async write(msn, buffers) {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          const path = join(folder, `${msn}.m4s`);
          try {
            await write(path, buffers, { mode: 0o600 });
          } catch (error) {
            await rm(path, { force: true });
            throw error;
          }
          return path;
        },
        remove: (path) => rm(path, { force: true }),
      };
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}
