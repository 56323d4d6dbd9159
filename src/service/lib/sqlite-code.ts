/** SQLITE_FULL. */
export const fullCode = 13;
/** SQLITE_IOERR_SHMSIZE: the -shm file can't be made longer, which is what SQLite reports first when it opens a store on a full disk. */
const shmSizeCode = 4874;

/**
 * SQLite's primary result code (sqlite.org/rescode.html) of a `node:sqlite` error, SQLITE_FULL for a full disk in any case; 0 for any other
 * error.
 */
export function readSqliteCode(error: unknown): number {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return 0;
  return error.errcode === shmSizeCode ? fullCode : error.errcode & 0xff;
}

/** Whether another program has locked the database, which is temporary: SQLITE_BUSY, LOCKED or PROTOCOL. */
export function isDatabaseLocked(error: unknown): boolean {
  return [5, 6, 15].includes(readSqliteCode(error));
}
