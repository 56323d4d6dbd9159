import { ServiceError } from '../../shared/errors.ts';

/** SQLITE_BUSY, READONLY, IOERR, FULL and CANTOPEN (sqlite.org/rescode.html), the low byte of an extended code. */
const unwritableCodes: readonly number[] = [5, 8, 10, 13, 14];

/** SQLite's primary result code in an error that `node:sqlite` has thrown; 0 for any other error. */
export function readSqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}

/** The store's refusal to be read or written, as UNAVAILABLE; undefined for an error that is no fault of the disk. */
export function findStoreFault(error: unknown): ServiceError | undefined {
  if (!unwritableCodes.includes(readSqliteCode(error))) return undefined;
  return new ServiceError('UNAVAILABLE', 'The store cannot be written: is the disk full or read-only?', { cause: error });
}
