import type { DatabaseSync } from 'node:sqlite';
import { readSqliteCode } from '../lib/sqlite-code.ts';
import { inTransaction } from './transaction.ts';

/** A store's file doesn't have the content that was written. */
export class DamagedStore extends Error {}

/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html): the low byte of the extended code. */
const damageCodes: readonly number[] = [11, 26];
/** SQLITE_CONSTRAINT: two rows of a damaged table have the same key. */
const constraintCode = 19;

/** Whether a store cannot be used because it is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedStore || damageCodes.includes(readSqliteCode(error));
}

/** Whether a row may not be in its table. */
export function isConstraint(error: unknown): boolean {
  return readSqliteCode(error) === constraintCode;
}

/** Checks the whole store. @throws an {@link isDamage} error for the first damage found */
export function refuseDamage(db: DatabaseSync): void {
  const { integrity_check: found } = db.prepare('PRAGMA integrity_check(1)').get() as { integrity_check: string };
  if (found !== 'ok') throw new DamagedStore(found);
}

/** Builds all indexes again from their tables. Returns false, and changes nothing, if the store is damaged even so. */
export function repairIndexes(db: DatabaseSync): boolean {
  try {
    inTransaction(db, () => {
      db.exec('REINDEX');
      refuseDamage(db);
    });
    return true;
  } catch (error) {
    if (isDamage(error) || isConstraint(error)) return false;
    throw error;
  }
}
