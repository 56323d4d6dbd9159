import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in one transaction: if it throws, nothing is stored.
 *
 * Takes the write lock first (`BEGIN IMMEDIATE`), so that another process waits instead of failing halfway.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
