import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../shared/errors.ts';
import { openDataFolder } from './data-folder.ts';
import { sentenceOf } from './read-error.ts';
import { isDatabaseLocked } from './sqlite-code.ts';

/** The lock's file in the data folder. */
const lockFileName = 'service.lock';

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
    throw new ServiceError('UNAVAILABLE', `Cannot write to the data folder ${folder}: ${sentenceOf(error)}.`, {
      cause: error,
    });
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: lookPatienceMs });
    database.exec('PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (!isDatabaseLocked(error)) {
      // A network share without locks, a failing disk, or a file that isn't ours.
      const reason = sentenceOf(error);
      throw new ServiceError('UNAVAILABLE', `Cannot lock the data folder ${folder} by its file ${lockFileName}: ${reason}.`, {
        cause: error,
      });
    }
    throw new ServiceError(
      'DATA_FOLDER_IN_USE',
      `Another Tallylight is using the data folder ${folder}. Close it, or choose another folder.`,
      { cause: error },
    );
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
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    if (!isDatabaseLocked(error)) throw error;
    return true;
  } finally {
    database.close();
  }
}
