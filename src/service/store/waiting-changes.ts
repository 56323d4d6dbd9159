import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../ports.ts';
import { findStoreFault } from './store-fault.ts';
import { inTransaction } from './transaction.ts';

/** Writes one row. `what` describes it for the log if it can never be stored. */
export type WriteRow = (what: unknown, write: () => void) => void;

/** Changes of one part of the service: readable at once, written later. */
export interface WaitingChanges {
  /** How many changes are waiting. */
  readonly count: number;
  /** Writes all of them, each through `row`. Called in a transaction, and again if that failed. */
  write(row: WriteRow): void;
  /** They are in the store; none is waiting any more. */
  written(): void;
  /** Describes them for the log if they are lost. */
  describe(): unknown;
}

/**
 * Writes all of these in one transaction. If a row can never be stored because of a bug, the others must still be: then each row is
 * written separately, and the failing one is dropped and logged.
 *
 * @throws errors that {@link findStoreFault} knows; nothing is written then
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
    log.error({ err: error, dropped: what }, 'A change could not be stored because of an internal error, and was dropped.');
  };
  try {
    part.write((what, write) => {
      db.exec('SAVEPOINT row');
      try {
        write();
      } catch (error) {
        // A store fault ends the transaction, and the savepoint with it.
        drop(what, error);
        db.exec('ROLLBACK TO row');
      }
      db.exec('RELEASE row');
    });
  } catch (error) {
    drop(part.describe(), error);
  }
}
