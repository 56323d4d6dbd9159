import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../ports.ts';
import { findStoreFault } from './store-fault.ts';
import { inTransaction } from './transaction.ts';

/** Writes one row; `what` it is, for the log, should it never be stored. */
export type WriteRow = (what: unknown, write: () => void) => void;

/** Changes of one part of the service that are readable at once and written later. */
export interface WaitingChanges {
  /** How many wait. */
  readonly count: number;
  /** Writes them all, each through `row`; called within a transaction, and again where one failed. */
  write(row: WriteRow): void;
  /** They are on disk: none waits any more. */
  written(): void;
  /** What they are, for the log, should they be lost. */
  describe(): unknown;
}

/**
 * Writes all of these in one transaction. What can never be stored, by a fault of ours, must not keep others waiting, nor take
 * them along: then each row is tried by itself, and the one that fails is dropped and logged.
 *
 * @throws what {@link findStoreFault} knows: then nothing is written
 */
export function writeChanges(db: DatabaseSync, parts: readonly WaitingChanges[], log: Logger): void {
  try {
    inTransaction(db, () => {
      for (const part of parts) part.write((_what, write) => write());
    });
  } catch (error) {
    if (findStoreFault(error) !== undefined) throw error;
    inTransaction(db, () => {
      for (const part of parts) writeApart(db, part, log);
    });
  }
}

function writeApart(db: DatabaseSync, part: WaitingChanges, log: Logger): void {
  const drop = (what: unknown, error: unknown) => {
    if (findStoreFault(error) !== undefined) throw error;
    log.error({ err: error, dropped: what }, 'A change could not be stored by a fault of ours: it is dropped.');
  };
  try {
    part.write((what, write) => {
      db.exec('SAVEPOINT row');
      try {
        write();
      } catch (error) {
        // A fault of the store ends the transaction, and with it the savepoint.
        drop(what, error);
        db.exec('ROLLBACK TO row');
      }
      db.exec('RELEASE row');
    });
  } catch (error) {
    drop(part.describe(), error);
  }
}
