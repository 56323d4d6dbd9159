import { open } from 'node:fs/promises';
import { ServiceError } from '../../shared/errors.ts';
import { describeDiskError } from './store-fault.ts';

/** A disk that takes longer is told of, and given nothing more until it has answered. */
const slowAfterMs = 1_000;

/** Has what was written put on the disk. */
export interface DiskSync {
  /** Resolves once all that was written before the call is on the disk. @throws {ServiceError} UNAVAILABLE when the disk fails */
  request(): Promise<void>;
  /** Why nothing more should be written for now: the disk failed the last time, or has not answered for a second. */
  readonly fault: ServiceError | undefined;
  /** Whether it is the former. */
  readonly hasFailed: boolean;
}

/** Joins all who ask while `sync` runs into the next one. @param sync puts all that has been written on the disk */
export function createDiskSync(sync: () => Promise<void>): DiskSync {
  let running: { promise: Promise<void>; since: number } | undefined;
  let next: Promise<void> | undefined;
  let failure: ServiceError | undefined;

  const run = async () => {
    next = undefined;
    try {
      await sync();
      failure = undefined;
    } catch (error) {
      failure = new ServiceError('UNAVAILABLE', describeDiskError(error), { cause: error });
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
      // What runs may have begun before the last write.
      next ??= running.promise.then(start, start);
      return next;
    },
    get hasFailed() {
      return failure !== undefined;
    },
    get fault() {
      if (failure !== undefined || running === undefined || performance.now() - running.since < slowAfterMs) return failure;
      return new ServiceError('UNAVAILABLE', 'The store cannot be written: its disk has not answered for over a second.');
    },
  };
}

/** The log that SQLite's commits go to, `<file>-wal`, to be synced off the event loop. */
export interface WriteAheadLog {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the write-ahead log of a store that is open.
 *
 * Only this file may be opened beside SQLite: closing any descriptor of the database or its -shm would let go of the locks that
 * SQLite holds on them (POSIX advisory locks, sqlite.org/howtocorrupt.html §2.2).
 */
export async function openWriteAheadLog(file: string): Promise<WriteAheadLog> {
  // Windows syncs only what is open for writing.
  const handle = await open(`${file}-wal`, 'r+');
  return { sync: () => handle.datasync(), close: () => handle.close() };
}
