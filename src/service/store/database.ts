import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../shared/errors.ts';
import { databaseFileName, openDataFolder } from '../lib/data-folder.ts';
import { sentenceOf } from '../lib/read-error.ts';
import { isDatabaseLocked } from '../lib/sqlite-code.ts';
import type { Logger } from '../ports.ts';
import { refuseBrokenJson } from './mend-row.ts';
import { migrate, readVersion, refuseNewer, refuseOlderInUse } from './migrations.ts';
import { finishReplacing, replaceStore } from './replace-store.ts';
import { refuseOtherSchema } from './schema-model.ts';
import { listSetAside } from './set-aside.ts';
import { freeStartSpace, takeStartSpace } from './start-space.ts';
import { DamagedStore, isDamage, refuseDamage, repairIndexes } from './store-damage.ts';
import { findStoreFault, isDiskFull, storeGone, storeOutOfReach, unopenedStore } from './store-fault.ts';
import { prepareFile } from './store-file.ts';

/** An open store. */
export interface OpenDatabase {
  db: DatabaseSync;
  file: string;
  /** The damaged files that this store has replaced, now or earlier, as long as they are there: newest first. */
  setAside: string[];
  /** @throws {StoreAwayError} when the file has been moved or cannot be reached */
  check(): void;
}

/**
 * Opens the store of a data folder, creates both if they are missing, and migrates the schema.
 *
 * The service never waits for the disk (WAL with `synchronous=NORMAL`, no checkpoints): {@link openWriteAheadLog} syncs commits,
 * {@link createCheckpoints} runs checkpoints.
 *
 * Damaged indexes are rebuilt. If more is damaged, or what SQLite doesn't check is wrong (JSON, the schema), the file is renamed, never
 * deleted, and replaced by a new one with all rows that can be read. An empty file counts as damaged, since a restored copy may be
 * empty, unless a first start was killed. `onDamage: 'refuse'` is for a process that may share the store with a running service: damage is
 * an error, only the schema is checked, each commit waits for the disk, and an older store isn't migrated while a service runs on it.
 *
 * If another program is writing, SQLite blocks the caller for up to `busyTimeoutMs`; for the service it is 0.
 *
 * @throws {ServiceError} UNAVAILABLE when the folder or file cannot be used, a newer Tallylight has written it, or an older one uses it
 */
export function openDatabase(
  dataFolder: string,
  log: Logger,
  { onDamage = 'set-aside', busyTimeoutMs = 0 }: { onDamage?: 'set-aside' | 'refuse'; busyTimeoutMs?: number } = {},
): OpenDatabase {
  const file = join(openDataFolder(dataFolder), databaseFileName);
  const finish = (db: DatabaseSync) => ({ db, file, check: watchFile(file), setAside: listSetAside(file) });
  try {
    const isService = onDamage === 'set-aside';
    if (isService) finishReplacing(file);
    return finish(open(file, { isService, busyTimeoutMs, log }));
  } catch (error) {
    if (!isDamage(error)) throw unavailable(file, error);
    if (onDamage === 'refuse') throw unopenedStore({ path: file, fault: { code: 'damaged' } }, error);
    try {
      const { setAside, kept } = replaceStore(file);
      log.error(
        { file, setAside, kept, reason: sentenceOf(error) },
        'The store was damaged. It was set aside, and a new one was created.',
      );
      return finish(open(file, { isService: true, busyTimeoutMs, log }));
    } catch (failure) {
      throw unavailable(file, failure);
    }
  }
}

/** How long the starting service waits for another program to release the store, and the pause between attempts. */
const startWaitMs = 5_000;
const startRetryMs = 50;

/**
 * Like {@link openDatabase}, but waits a few seconds, without blocking, if another program holds the store. On a full disk it uses the
 * space that an earlier start has taken for that.
 */
export async function openDatabaseSoon(dataFolder: string, log: Logger, waitMs = startWaitMs): Promise<OpenDatabase> {
  const giveUpAt = performance.now() + waitMs;
  let isFull = false;
  for (;;) {
    try {
      const opened = openDatabase(dataFolder, log);
      if (!isFull) takeStartSpace(dataFolder);
      return opened;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.details?.unopenedStore?.fault.code === 'disk-full' && freeStartSpace(dataFolder)) {
        isFull = true;
        log.warn({ dataFolder }, 'The disk is full. The space that was kept for a start is used up now.');
        continue;
      }
      if (!isDatabaseLocked(error.cause) || performance.now() >= giveUpAt) throw error;
    }
    await sleep(startRetryMs);
  }
}

/** Detects that the file was deleted or moved: an open file could still be written, but the data would be lost. */
function watchFile(file: string): () => void {
  const read = () => {
    try {
      const found = statSync(file, { bigint: true, throwIfNoEntry: false });
      return found === undefined ? undefined : `${found.dev} ${found.ino}`;
    } catch (error) {
      throw storeOutOfReach(file, error);
    }
  };
  const opened = read();
  return () => {
    if (read() !== opened) throw storeGone(file);
  };
}

interface OpenOptions {
  isService: boolean;
  busyTimeoutMs: number;
  log: Logger;
}

/** The mark of a first start that isn't over, beside the store: if it is killed, the next one takes an empty store for its remains. */
const firstStartMark = (file: string) => `${file}-first`;

function open(file: string, options: OpenOptions): DatabaseSync {
  const isNew = !existsSync(file);
  const mark = firstStartMark(file);
  try {
    if (isNew) writeFileSync(mark, '', { mode: 0o600 });
    prepareFile(file, { isFirst: existsSync(mark) });
    const db = openPrepared(file, options);
    removeMark(mark);
    return db;
  } catch (error) {
    if (isNew && !(error instanceof DamagedStore) && statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
    if (isNew) removeMark(mark);
    throw error;
  }
}

function removeMark(mark: string): void {
  try {
    rmSync(mark, { force: true });
  } catch {
    // The next start tries again. Until then an empty store counts as new.
  }
}

function openPrepared(file: string, { isService, busyTimeoutMs, log }: OpenOptions): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    const version = readVersion(db);
    refuseNewer(version, file);
    if (!isService) refuseOlderInUse(version, file);
    const synchronous = isService ? 'NORMAL' : 'FULL';
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = ${synchronous}`);
    // Overwrite deleted data instead of only marking it for reuse.
    db.exec('PRAGMA secure_delete = ON');
    refuseOtherSchema(db);
    if (isService) repairOrRefuse(db, file, log);
    migrate(db, file);
    if (isService) refuseBrokenJson(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Repairs the indexes, which are derived from the tables. @throws an {@link isDamage} error if more is damaged */
function repairOrRefuse(db: DatabaseSync, file: string, log: Logger): void {
  try {
    refuseDamage(db);
  } catch (error) {
    if (!isDamage(error) || !repairIndexes(db)) throw error;
    log.warn({ file, reason: sentenceOf(error) }, 'An index of the store was damaged. It was built again; nothing is lost.');
  }
}

function unavailable(file: string, error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error;
  if (isDiskFull(error)) return unopenedStore({ path: file, fault: { code: 'disk-full' } }, error);
  const fault =
    findStoreFault(error)?.fault ?? ('code' in error ? { code: 'system' as const, text: error.message } : undefined);
  return fault === undefined ? error : unopenedStore({ path: file, fault }, error);
}
