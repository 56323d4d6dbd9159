import { ServiceError } from '../../shared/errors.ts';
import type { StoreFault, UnopenedStore } from '../../shared/model/store-fault.ts';
import { codeOf } from '../lib/read-error.ts';
import { fullCode, isDatabaseLocked, readSqliteCode } from '../lib/sqlite-code.ts';

/** The store can't be used: UNAVAILABLE. */
export class StoreError extends ServiceError {
  readonly fault: StoreFault;
  /** The store's file, if the fault concerns where it is. */
  readonly path: string | undefined;

  constructor(fault: StoreFault, { path, cause }: { path?: string; cause?: unknown } = {}) {
    super('UNAVAILABLE', `The store can't be used: ${JSON.stringify(fault)}`, {
      details: { storeProblem: { fault, ...(path !== undefined && { path }) } },
      cause,
    });
    this.fault = fault;
    this.path = path;
  }
}

/** SQLite's primary result codes that are not bugs of ours, besides those of a locked store. */
const faults: Readonly<Record<number, StoreFault>> = {
  // SQLITE_READONLY and PERM.
  3: { code: 'read-only' },
  8: { code: 'read-only' },
  // SQLITE_IOERR and CANTOPEN.
  10: { code: 'disk-failed' },
  14: { code: 'cannot-open' },
  // SQLITE_CORRUPT and NOTADB.
  11: { code: 'damaged' },
  26: { code: 'damaged' },
  // SQLITE_NOMEM.
  7: { code: 'no-memory' },
  [fullCode]: { code: 'disk-full' },
};

/** Whether a file system error says that the disk, or the user's part of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

/** The error for a file system error on the store's files. */
export function diskError(cause: unknown): StoreError {
  return new StoreError({ code: isDiskFull(cause) ? 'disk-full' : 'disk-failed' }, { cause });
}

/** The store in the file `path` can't be opened: UNAVAILABLE. */
export function unopenedStore({ path, fault }: UnopenedStore, cause?: unknown): ServiceError {
  return new ServiceError('UNAVAILABLE', `The store ${path} can't be opened: ${JSON.stringify(fault)}`, {
    details: { unopenedStore: { path, fault } },
    cause,
  });
}

/** The store's file is no longer where it was, or cannot be reached. */
export class StoreAwayError extends Error {
  readonly fault: StoreFault;
  readonly path: string;

  constructor(fault: StoreFault, path: string, options?: { cause: unknown }) {
    super(`The store ${path} is away: ${JSON.stringify(fault)}`, options);
    this.fault = fault;
    this.path = path;
  }
}

/** The file was deleted, moved or replaced while it was open, so further writes would be lost. */
export function storeGone(file: string): StoreAwayError {
  return new StoreAwayError({ code: 'missing' }, file);
}

/** The store's folder or disk cannot be accessed. @param cause the file system's error */
export function storeOutOfReach(file: string, cause: unknown): StoreAwayError {
  const reason = codeOf(cause);
  return new StoreAwayError({ code: 'out-of-reach', ...(reason !== undefined && { reason }) }, file, { cause });
}

/** Why the store cannot be read or written; undefined if the error is not about the store. */
export function findStoreFault(error: unknown): StoreError | undefined {
  if (error instanceof StoreAwayError) return new StoreError(error.fault, { path: error.path, cause: error });
  const fault: StoreFault | undefined = isDatabaseLocked(error) ? { code: 'locked' } : faults[readSqliteCode(error)];
  return fault === undefined ? undefined : new StoreError(fault, { cause: error });
}
