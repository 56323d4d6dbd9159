import { DatabaseSync } from 'node:sqlite';
import { openSettingTable } from './setting-table.ts';

/** Moves what is in the write-ahead log into the database, on connections of its own; it blocks its thread. */
export interface Checkpointer {
  /** Moves all there is, and has the next commits begin the log anew, so that it does not grow. */
  checkpoint(): void;
  close(): void;
}

/** How long it waits for a writer. */
const busyTimeoutMs = 1_000;
const countSetting = 'checkpoints';

/**
 * Opens a checkpointer beside the connection that writes.
 *
 * Whoever writes first after all has been moved begins the log anew, and SQLite has that writer wait for the disk: a header that
 * came there after its frames would bring back old ones (sqlite.org/src/info/ff5be73dee). So it is done here. As long as the reader
 * holds a snapshot nobody can begin the log anew; then others pause until we have.
 *
 * @param pause asks the writer to begin no transaction, or allows it again
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
  const moveAll = () => db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const moveWhatIsThere = () => {
    reader.exec('BEGIN');
    readSchema.get();
    moveAll();
  };
  const letGo = () => {
    if (reader.isTransaction) reader.exec('ROLLBACK');
  };
  return {
    checkpoint() {
      try {
        moveWhatIsThere();
        pause(true);
        // The transaction that was under way when the pause began is over then.
        db.exec('BEGIN IMMEDIATE; ROLLBACK');
        letGo();
        // What came meanwhile.
        moveAll();
        settings.set(countSetting, String((Number(settings.find(countSetting)) || 0) + 1));
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
