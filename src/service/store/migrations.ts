import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isDataFolderLocked } from '../lib/data-folder-lock.ts';
import streams from './migrations/0001-streams.sql?raw';
import reconnectWindow from './migrations/0002-reconnect-window.sql?raw';
import liveWindow from './migrations/0003-live-window.sql?raw';
import oldKeys from './migrations/0004-old-keys.sql?raw';
import ends from './migrations/0005-ends.sql?raw';
import sessionLengths from './migrations/0006-session-lengths.sql?raw';
import foreignHolds from './migrations/0007-foreign-holds.sql?raw';
import remoteServices from './migrations/0008-remote-services.sql?raw';
import oneClickChoices from './migrations/0009-one-click-choices.sql?raw';
import remoteChoices from './migrations/0010-remote-choices.sql?raw';
import listOfStreams from './migrations/0011-list-of-streams.sql?raw';
import deletedStreams from './migrations/0012-deleted-streams.sql?raw';
import { unopenedStore } from './store-fault.ts';
import { inTransaction } from './transaction.ts';

/** Each migrates the store from the version of its index to the next. Never edit a released one: add another. */
export const migrations: readonly string[] = [
  streams,
  reconnectWindow,
  liveWindow,
  oldKeys,
  ends,
  sessionLengths,
  foreignHolds,
  remoteServices,
  oneClickChoices,
  remoteChoices,
  listOfStreams,
  deletedStreams,
];

/**
 * Migrates the store to the newest schema, in one transaction: if a step fails, as on a full disk, the older version can still open it.
 * `PRAGMA user_version` holds the version.
 *
 * @throws {ServiceError} UNAVAILABLE when a newer Tallylight has written the store
 */
export function migrate(db: DatabaseSync, file: string): void {
  if (readVersion(db) === migrations.length) return;
  inTransaction(db, () => {
    // Read again under the lock, since another process may have migrated meanwhile.
    const version = readVersion(db);
    refuseNewer(version, file);
    for (const migration of migrations.slice(version)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

/** @throws {ServiceError} UNAVAILABLE when a newer Tallylight has written the store: only that version can read or repair it */
export function refuseNewer(version: number, file: string): void {
  const known = migrations.length;
  if (version > known) throw unopenedStore({ path: file, fault: { code: 'newer', version, known } });
}

/** @throws {ServiceError} UNAVAILABLE when a running service needs the store as an older Tallylight has written it */
export function refuseOlderInUse(version: number, file: string): void {
  const needed = migrations.length;
  if (version === 0 || version >= needed || !isDataFolderLocked(dirname(file))) return;
  throw unopenedStore({ path: file, fault: { code: 'older', version, needed } });
}

/** Creates the schema of a version in an empty store. */
export function createSchema(db: DatabaseSync, version: number): void {
  for (const migration of migrations.slice(0, version)) db.exec(migration);
  db.exec(`PRAGMA user_version = ${version}`);
}

/** The schema version of a store. */
export function readVersion(db: DatabaseSync): number {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}
