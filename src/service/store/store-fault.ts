import { ServiceError } from '../../shared/errors.ts';
import { codeOf } from '../lib/read-error.ts';

/** SQLITE_FULL. */
const fullCode = 13;

/** Sentences for SQLite's primary result codes (sqlite.org/rescode.html) that are not bugs of ours. */
const sentences: Readonly<Record<number, string>> = {
  // SQLITE_BUSY, LOCKED and PROTOCOL.
  5: 'The store is locked by another program. Close it, or wait until it is done.',
  6: 'The store is locked by another program. Close it, or wait until it is done.',
  15: 'The store is locked by another program. Close it, or wait until it is done.',
  // SQLITE_READONLY and PERM.
  3: 'The store is read-only. Give Tallylight write permission for its data folder.',
  8: 'The store is read-only. Give Tallylight write permission for its data folder.',
  // SQLITE_IOERR and CANTOPEN.
  10: 'The store cannot be used: its disk failed to read or write.',
  14: 'The store cannot be used: its file cannot be opened.',
  // SQLITE_CORRUPT and NOTADB.
  11: 'The store is damaged. Restart Tallylight to repair it.',
  26: 'The store is damaged. Restart Tallylight to repair it.',
  // SQLITE_NOMEM.
  7: 'The store cannot be used: this computer is out of memory.',
  [fullCode]: 'The store cannot be written: the disk is full.',
};

/** The sentence for a file system error on the store's files. */
export function describeDiskError(error: unknown): string {
  const code = codeOf(error);
  return (code === 'ENOSPC' || code === 'EDQUOT' ? sentences[fullCode] : sentences[10]) ?? '';
}

const busyCodes: readonly number[] = [5, 6, 15];

/** The store's file is no longer where it was, or cannot be reached. The message is for the user. */
export class StoreAwayError extends Error {}

/** The file was deleted, moved or replaced while it was open, so further writes would be lost. */
export function storeGone(file: string): StoreAwayError {
  return new StoreAwayError(`The store ${file} is missing. Put it back, or restart Tallylight.`);
}

/** The store's folder or disk cannot be accessed. @param cause the file system's error */
export function storeOutOfReach(file: string, cause: unknown): StoreAwayError {
  const sentence = `The store ${file} cannot be reached (${codeOf(cause) ?? cause}). Check its disk and the permissions of its folder.`;
  return new StoreAwayError(sentence, { cause });
}

/** SQLITE_IOERR_SHMSIZE: the -shm file can't be made longer, which is what SQLite reports first when it opens a store on a full disk. */
const shmSizeCode = 4874;

/** SQLite's primary result code of a `node:sqlite` error, SQLITE_FULL for a full disk in any case; 0 for any other error. */
export function readSqliteCode(error: unknown): number {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return 0;
  return error.errcode === shmSizeCode ? fullCode : error.errcode & 0xff;
}

/** Whether another program holds the store, which is temporary. */
export function isBusy(error: unknown): boolean {
  return busyCodes.includes(readSqliteCode(error));
}

/** Why the store cannot be read or written, as UNAVAILABLE; undefined if the error is not about the store. */
export function findStoreFault(error: unknown): ServiceError | undefined {
  const sentence = error instanceof StoreAwayError ? error.message : sentences[readSqliteCode(error)];
  return sentence === undefined ? undefined : new ServiceError('UNAVAILABLE', sentence, { cause: error });
}
