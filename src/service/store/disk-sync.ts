import { open } from 'node:fs/promises';
import { diskError, StoreError } from './store-fault.ts';

/** A disk that takes longer is reported, and gets no more writes until it has answered. */
const slowAfterMs = 1_000;

/** Syncs writes to disk. */
export interface DiskSync {
  /** Resolves once everything written before the call is on disk. @throws {StoreError} when the disk fails */
  request(): Promise<void>;
  /** Why nothing more should be written for now: the last sync failed, or one has taken over a second. */
  readonly fault: StoreError | undefined;
  /** Whether the last sync failed. */
  readonly hasFailed: boolean;
}

/** Merges all requests made while `sync` runs into the next one. @param sync syncs everything written so far to disk */
export function createDiskSync(sync: () => Promise<void>): DiskSync {
  let running: { promise: Promise<void>; since: number } | undefined;
  let next: Promise<void> | undefined;
  let failure: StoreError | undefined;

  const run = async () => {
    next = undefined;
    try {
      await sync();
      failure = undefined;
    } catch (error) {
      failure = diskError(error);
      throw failure;
    } finally {
      running = undefined;
    }
  };
  const start = () => {
    running = { since: performance.now(), promise: run() };
    return running.promise;
  };
  return {
    request() {
      if (running === undefined) return start();
      // The running sync may have begun before the last write.
      next ??= running.promise.then(start, start);
      return next;
    },
    get hasFailed() {
      return failure !== undefined;
    },
    get fault() {
      if (failure !== undefined || running === undefined || performance.now() - running.since < slowAfterMs) return failure;
      return new StoreError({ code: 'disk-silent' });
    },
  };
}

/** The file that SQLite commits to, `<file>-wal`, for syncing off the event loop. */
export interface WriteAheadLog {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the write-ahead log of an open store.
 *
 * This is the only file that may be opened beside SQLite: closing any descriptor of the database or its -shm would release the locks
 * that SQLite holds on them (POSIX advisory locks, sqlite.org/howtocorrupt.html §2.2).
 */
export async function openWriteAheadLog(file: string): Promise<WriteAheadLog> {
  // Windows only syncs files that are open for writing.
  const handle = await open(`${file}-wal`, 'r+');
  return { sync: () => handle.datasync(), close: () => handle.close() };
}
