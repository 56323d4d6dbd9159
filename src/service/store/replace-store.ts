import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { copyName } from './mended-copy.ts';
import { migrate } from './migrations.ts';
import { salvage } from './salvage.ts';
import { finishSettingAside, setFileAside } from './set-aside.ts';
import { isLikeStore, prepareFile, removeStore } from './store-file.ts';

/** A new store is made under this name, and gets the store's name when it is complete. */
const newName = (file: string) => `${file}.new`;

/**
 * Replaces a damaged store by a new one with everything that can be read of it, and sets it aside. If the new one cannot be made, the
 * damaged one stays in its place.
 *
 * @returns the new path of the damaged one, and how many rows were kept
 * @throws SQLite's or the file system's own error, and that of `refuseNewer`
 */
export function replaceStore(file: string): { setAside: string; kept: number } {
  const made = newName(file);
  removeStore(made);
  try {
    const kept = makeFrom(file, made);
    const setAside = setFileAside(file);
    renameSync(made, file);
    return { setAside, kept };
  } catch (error) {
    if (existsSync(file)) removeStore(made);
    throw error;
  }
}

/** Finishes a replacement that the process may not have: a new store gets its name if it was complete, and is removed if not. */
export function finishReplacing(file: string): void {
  const made = newName(file);
  removeStore(copyName(file));
  if (!existsSync(made)) return;
  if (existsSync(file)) {
    removeStore(made);
    return;
  }
  finishSettingAside(file);
  renameSync(made, file);
}

function makeFrom(damaged: string, file: string): number {
  prepareFile(file, { isFirst: true });
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
  const kept = isLikeStore(damaged) ? salvage(damaged, db) : 0;
  migrate(db, file);
  return kept;
}
