import { ServiceError } from '../../shared/errors.ts';

/** What SQLite's primary result codes (sqlite.org/rescode.html) that are no fault of ours say to a person. */
const sentences: Readonly<Record<number, string>> = {
  // SQLITE_BUSY, LOCKED and PROTOCOL.
  5: 'The store is locked by another program: close that program, or wait until it is done.',
  6: 'The store is locked by another program: close that program, or wait until it is done.',
  15: 'The store is locked by another program: close that program, or wait until it is done.',
  // SQLITE_READONLY and PERM.
  3: 'The store is read-only: give Tallylight the right to write its data folder.',
  8: 'The store is read-only: give Tallylight the right to write its data folder.',
  // SQLITE_IOERR and CANTOPEN.
  10: 'The store cannot be used: its disk failed to read or write.',
  14: 'The store cannot be used: its file cannot be opened.',
  // SQLITE_CORRUPT and NOTADB.
  11: 'The store is damaged: restart Tallylight, which sets it aside.',
  26: 'The store is damaged: restart Tallylight, which sets it aside.',
  // SQLITE_NOMEM.
  7: 'The store cannot be used: this computer is short of memory.',
  // SQLITE_FULL.
  13: 'The store cannot be written: the disk is full.',
};

/** What a file system's error on the store's files says to a person. */
export function describeDiskError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (code === 'ENOSPC' || code === 'EDQUOT' ? sentences[13] : sentences[10]) ?? '';
}

const busyCodes: readonly number[] = [5, 6, 15];

/** The store's file is not to be found at its place any more; its message says so to a person. */
export class StoreAwayError extends Error {}

/** The file was deleted, moved or replaced while it was open: what is written to it now is lost. */
export function storeGone(file: string): StoreAwayError {
  return new StoreAwayError(`The store ${file} is gone from its folder: put it back, or restart Tallylight.`);
}

/** Its folder or disk refuses to be looked at. @param cause what the file system said */
export function storeOutOfReach(file: string, cause: unknown): StoreAwayError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
  const sentence = `The store ${file} cannot be reached (${code}): see to its disk and to the rights of its folder.`;
  return new StoreAwayError(sentence, { cause });
}

/** SQLite's primary result code in an error that `node:sqlite` has thrown; 0 for any other error. */
export function readSqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}

/** Whether another program holds the store, which passes. */
export function isBusy(error: unknown): boolean {
  return busyCodes.includes(readSqliteCode(error));
}

/** The store's refusal to be read or written, as UNAVAILABLE; undefined for an error that is no fault of the store. */
export function findStoreFault(error: unknown): ServiceError | undefined {
  const sentence = error instanceof StoreAwayError ? error.message : sentences[readSqliteCode(error)];
  return sentence === undefined ? undefined : new ServiceError('UNAVAILABLE', sentence, { cause: error });
}
