import fs, { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { openDatabase } from './database.ts';
import { openSettingTable } from './setting-table.ts';

/** Runs `act`, and copies a folder before each rename, as a process that ends there leaves it; returns the copies. */
function copyBeforeRenames(folder: string, into: string, act: () => void): string[] {
  const { renameSync } = fs;
  const copies: string[] = [];
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    const copy = join(into, `copy ${copies.length}`);
    cpSync(folder, copy, { recursive: true });
    copies.push(copy);
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  return copies;
}

test('wherever the process ends while it replaces a damaged store, the next start loses nothing, not even what only the log has', () => {
  using folder = makeTestFolder();
  using copied = makeTestFolder();
  const { log } = createTestLog();
  const running = openDatabase(folder.path, log);
  openSettingTable(running.db).set('early', '1');
  running.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  openSettingTable(running.db).set('late', '2');
  const crashed = join(copied.path, 'crashed');
  cpSync(folder.path, crashed, { recursive: true });
  running.db.close();
  const file = join(crashed, 'tallylight.db');
  const damaged = readFileSync(file).fill('x', 0, 16);
  writeFileSync(file, damaged);

  const states = copyBeforeRenames(crashed, copied.path, () => openDatabase(crashed, log).db.close());
  const found = states.map((state) => {
    const { db, setAside } = openDatabase(state, log);
    const settings = ['early', 'late'].map((name) => openSettingTable(db).find(name));
    db.close();
    const names = readdirSync(state).map((name) => name.replace(/-damaged-.*\.db/, '-damaged.db'));
    return { settings, names, isWhole: setAside.length === 1 && readFileSync(setAside[0] ?? '').equals(damaged) };
  });
  const names = ['tallylight-damaged.db', 'tallylight-damaged.db-shm', 'tallylight-damaged.db-wal', 'tallylight.db'];
  expect(found).toEqual(Array.from({ length: 4 }, () => ({ settings: ['1', '2'], names, isWhole: true })));
});

/** Makes a store without a write-ahead log, as another program may have left it, with one setting. Returns its file. */
function makeStoreWithoutLog(folder: string): string {
  const { db, file } = openDatabase(folder, createTestLog().log);
  openSettingTable(db).set('a', '1');
  db.exec('PRAGMA journal_mode = DELETE');
  db.close();
  return file;
}

/** The journal of another program's transaction that was killed: it restores the size that the store had before, one page. */
function formatJournal(): Buffer {
  const journal = Buffer.alloc(512);
  Buffer.from('d9d505f920a163d7', 'hex').copy(journal);
  for (const [at, value] of [
    [16, 1],
    [20, 512],
    [24, 4096],
  ] as const)
    journal.writeUInt32BE(value, at);
  return journal;
}

/** What the next start finds: the setting, and the journal beside the store that was set aside. */
function startAgain(folder: string) {
  const { db, setAside } = openDatabase(folder, createTestLog().log);
  const setting = openSettingTable(db).find('a');
  db.close();
  return { setting, journals: setAside.map((aside) => readFileSync(`${aside}-journal`)) };
}

test('the journal of a damaged store is set aside with it: SQLite would take it for that of the new one', () => {
  using folder = makeTestFolder();
  const file = makeStoreWithoutLog(folder.path);
  const journal = formatJournal();
  writeFileSync(`${file}-journal`, journal);
  writeFileSync(file, readFileSync(file).fill(9, 18, 20));
  expect(startAgain(folder.path)).toEqual({ setting: '1', journals: [journal] });
});

test('if the process ended before that journal was set aside, the next start sets it aside', () => {
  using folder = makeTestFolder();
  const file = makeStoreWithoutLog(folder.path);
  renameSync(file, `${file}.new`);
  writeFileSync(join(folder.path, 'tallylight-damaged-2026-01-02T03-04-05-678Z.db'), 'damaged');
  const journal = formatJournal();
  writeFileSync(`${file}-journal`, journal);
  expect(startAgain(folder.path)).toEqual({ setting: '1', journals: [journal] });
});
