import fs, { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
