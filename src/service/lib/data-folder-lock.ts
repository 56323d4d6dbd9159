import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDataFolder } from './data-folder.ts';
import { sentenceOf } from './read-error.ts';
import { isDatabaseLocked } from './sqlite-code.ts';
import { startError } from './start-error.ts';

/** The lock's file in the data folder. */
const lockFileName = 'service.lock';

/** Locks the whole file without writing, even a journal: it works on a full disk. SQLite ignores `OFF` for defensive connections. */
const lockFile = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE';

/** How long a start waits for a concurrent {@link isDataFolderLocked}, which takes the lock briefly. */
const lookPatienceMs = 250;

/** The exclusive right to run a service on a data folder, until closed. */
export interface DataFolderLock {
  close(): void;
}

/**
 * Locks the data folder for this process. Creates the folder, readable only by the user, if it is missing.
 *
 * The lock is SQLite's exclusive lock on its own file. The operating system releases it however the process ends, so it is never
 * stale.
 *
 * @throws {ServiceError} DATA_FOLDER_IN_USE when another service runs on the folder; UNAVAILABLE when it cannot be written or locked
 */
export function lockDataFolder(dataFolder: string): DataFolderLock {
  const folder = openDataFolder(dataFolder);
  const path = join(folder, lockFileName);
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw startError({ code: 'folder-unwritable', path: folder, text: sentenceOf(error) }, error);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: lookPatienceMs });
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; ${lockFile}`);
  } catch (error) {
    database?.close();
    if (isDatabaseLocked(error)) throw startError({ code: 'folder-in-use', path: folder }, error);
    // A network share without locks, a failing disk, or a file that isn't ours.
    throw startError({ code: 'folder-unlockable', path: folder, file: lockFileName, text: sentenceOf(error) }, error);
  }
  return {
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** Whether a service is running on the data folder. */
export function isDataFolderLocked(dataFolder: string): boolean {
  const path = join(dataFolder, lockFileName);
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path);
  try {
    database.exec(`${lockFile}; ROLLBACK`);
    return false;
  } catch (error) {
    if (!isDatabaseLocked(error)) throw error;
    return true;
  } finally {
    database.close();
  }
}
