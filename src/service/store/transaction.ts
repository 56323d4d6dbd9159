import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in one transaction: all of it is stored, or, when it throws, nothing.
 *
 * The write lock is taken first (`BEGIN IMMEDIATE`), so that another process waits instead of failing halfway.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk makes SQLite roll back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
