import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { openDatabaseSoon } from './database.ts';
import { openSettingTable } from './setting-table.ts';

let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const { log, lines } = createTestLog();
const path = () => join(folder.path, 'space-for-start');

async function start(use: (db: DatabaseSync) => void = () => {}) {
  const { db } = await openDatabaseSoon(folder.path, log);
  use(db);
  db.close();
}

/** A disk that has space only once that file is gone: until then SQLite can't open a store there. */
function fillUpTo(file: string): Disposable {
  const { exec } = DatabaseSync.prototype;
  return vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (!existsSync(file)) return exec.call(this, sql);
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4874 });
  });
}

test('a start keeps space, with which the next one opens the store on a full disk; the one after that keeps it again', async () => {
  await start((db) => openSettingTable(db).set('a', '1'));
  expect(statSync(path()).size).toBe(1024 * 1024);
  using full = fillUpTo(path());
  lines.length = 0;
  await start((db) => expect(openSettingTable(db).find('a')).toBe('1'));
  expect(existsSync(path())).toBe(false);
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'The disk is full. The space that was kept for a start is used up now.' }),
  ]);
  full[Symbol.dispose]();
  await start();
  expect(statSync(path()).size).toBe(1024 * 1024);
});

test('without kept space, a start on a full disk fails and says so', async () => {
  await start();
  rmSync(path());
  using _full = fillUpTo(folder.path);
  await expect(start()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    details: { unopenedStore: { fault: { code: 'disk-full' } } },
  });
});

test('a start needs no kept space', async () => {
  mkdirSync(path());
  await start((db) => openSettingTable(db).set('a', '1'));
  await start((db) => expect(openSettingTable(db).find('a')).toBe('1'));
});
