import { DatabaseSync } from 'node:sqlite';
import { openSettingTable } from './setting-table.ts';

/** Moves the write-ahead log into the database, on its own connections. Blocks its thread. */
export interface Checkpointer {
  /**
   * Moves everything, and makes the next commits restart the log, so that it does not grow.
   *
   * @param options.erases also shortens the log, which otherwise still contains what has been deleted from the database
   * @returns whether it did all of that: another program that reads or checkpoints the store keeps the log as it is
   */
  checkpoint(options: { erases: boolean }): boolean;
  close(): void;
}

/** How long to wait for a writer. */
const busyTimeoutMs = 1_000;
const countSetting = 'checkpoints';

/**
 * Opens a checkpointer beside the connection that writes.
 *
 * The first writer after a complete checkpoint restarts the log, and SQLite makes that writer wait for the disk: a header that
 * reached the disk after its frames would bring back old ones (sqlite.org/src/info/ff5be73dee). So the checkpointer restarts the
 * log itself. While its reader holds a snapshot, no connection can restart the log; after that, others pause until it has done
 * so.
 *
 * @param pause tells the writer whether it must begin no transaction
 */
export function openCheckpointer(file: string, pause: (isPaused: boolean) => void): Checkpointer {
  const connect = () => {
    const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
    return db;
  };
  const db = connect();
  const reader = connect();
  const settings = openSettingTable(db);
  const readSchema = reader.prepare('SELECT count(*) FROM sqlite_schema');
  const move = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  /** The pages in the log, and how many of them are in the database, too. Both are -1, and `busy` is 1, while another program checkpoints. */
  const moveAll = () => move.get() as { busy: number; log: number; checkpointed: number };
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  /** The pages in the log. Moves none: the writer would restart the log if all of them were in the database. */
  const countPages = () => (look.get() as { log: number }).log;
  const moveWhatIsThere = () => {
    reader.exec('BEGIN');
    readSchema.get();
    moveAll();
  };
  const letGo = () => {
    if (reader.isTransaction) reader.exec('ROLLBACK');
  };
  return {
    checkpoint({ erases }) {
      // The limit applies when a commit restarts the log; -1 is none (sqlite.org/pragma.html#pragma_journal_size_limit).
      db.exec(`PRAGMA journal_size_limit = ${erases ? 0 : -1}`);
      try {
        moveWhatIsThere();
        pause(true);
        // Waits until a transaction that was running when the pause began is over.
        db.exec('BEGIN IMMEDIATE; ROLLBACK');
        letGo();
        // Move the commits that came in the meantime.
        const { busy, log, checkpointed } = moveAll();
        // Somebody checkpoints, or reads an older snapshot: the log can't be restarted, so a commit would only make it longer.
        if (busy !== 0 || checkpointed < log) return false;
        settings.count(countSetting);
        // Nor does that commit restart it while somebody reads its end.
        return !erases || countPages() <= log;
      } finally {
        letGo();
        pause(false);
      }
    },
    close() {
      reader.close();
      db.close();
    },
  };
}
