import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { lockDataFolder } from '../lib/data-folder-lock.ts';
import { openDatabase, openDatabaseSoon } from './database.ts';
import { createSchema, migrate, migrations, readVersion } from './migrations.ts';
import { openSettingTable } from './setting-table.ts';
import { inTransaction } from './transaction.ts';

let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const { log } = createTestLog();
const file = () => join(folder.path, 'tallylight.db');
const mode = (path: string) => statSync(path).mode & 0o777;

test.skipIf(process.platform === 'win32')('folder and files are readable only by the user, whatever the umask', () => {
  const umask = process.umask(0);
  try {
    const path = join(folder.path, 'deep', 'data');
    const { db } = openDatabase(path, log);
    openSettingTable(db).set('a', '1');
    expect(mode(path)).toBe(0o700);
    const modes = Object.fromEntries(readdirSync(path).map((name) => [name, mode(join(path, name)).toString(8)]));
    expect(modes).toEqual({ 'tallylight.db': '600', 'tallylight.db-shm': '600', 'tallylight.db-wal': '600' });
    db.close();
  } finally {
    process.umask(umask);
  }
});

test.skipIf(process.platform === 'win32')(
  'an existing folder is restricted if it is empty, and left unchanged if it has other content, at the second start too',
  () => {
    const make = (name: string) => {
      const path = join(folder.path, name);
      mkdirSync(path);
      chmodSync(path, 0o755);
      return path;
    };
    const empty = make('empty');
    openDatabase(empty, log).db.close();
    expect(mode(empty)).toBe(0o700);
    const shared = make('shared');
    writeFileSync(join(shared, 'other.txt'), 'of somebody else');
    for (let start = 0; start < 2; start += 1) {
      openDatabase(shared, log).db.close();
      expect([mode(shared), mode(join(shared, 'tallylight.db'))]).toEqual([0o755, 0o600]);
    }
  },
);

test('the store uses WAL, never waits for the disk, enforces foreign keys, and has its schema version', () => {
  const {
    db,
    setAside: [setAside],
  } = openDatabase(folder.path, log);
  const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect(
    ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'foreign_keys', 'busy_timeout', 'user_version'].map(pragma),
  ).toEqual([
    'wal',
    // NORMAL: commits neither wait nor start a checkpoint.
    1,
    0,
    1,
    // Never wait for another program, since the event loop would wait too.
    0,
    migrations.length,
  ]);
  expect(setAside).toBeUndefined();
  db.close();
  // Opening it again migrates nothing.
  openDatabase(folder.path, log).db.close();
});

const windowMigrations = [
  { version: 1, setting: 'reconnectWindowSeconds', stored: '600', expected: '75' },
  { version: 1, setting: 'reconnectWindowSeconds', stored: '76', expected: '75' },
  { version: 1, setting: 'reconnectWindowSeconds', stored: '75', expected: '75' },
  { version: 1, setting: 'reconnectWindowSeconds', stored: '5', expected: '5' },
  { version: 2, setting: 'liveWindowSeconds', stored: '20', expected: '60' },
  { version: 2, setting: 'liveWindowSeconds', stored: '59', expected: '60' },
  { version: 2, setting: 'liveWindowSeconds', stored: '60', expected: '60' },
  { version: 2, setting: 'liveWindowSeconds', stored: '14400', expected: '14400' },
];
/** Valid in every version, so a migration of another setting leaves them unchanged. */
const untouched: Readonly<Record<string, string>> = { reconnectWindowSeconds: '5', liveWindowSeconds: '600' };

test.each(windowMigrations)('$setting stored as $stored s by an older Tallylight becomes $expected s', (migration) => {
  const { version, setting, stored, expected } = migration;
  const older = new DatabaseSync(file());
  older.exec(`${migrations.slice(0, version).join('\n')}; PRAGMA user_version = ${version}`);
  const before = { ...untouched, [setting]: stored };
  for (const [name, value] of Object.entries(before)) openSettingTable(older).set(`settings.${name}`, value);
  older.close();
  const { db: migrated } = openDatabase(folder.path, log);
  const after = Object.keys(before).map((name) => [name, openSettingTable(migrated).find(`settings.${name}`)]);
  expect(Object.fromEntries(after)).toEqual({ ...untouched, [setting]: expected });
  migrated.close();
});

test('remains of deleted streams from an older Tallylight are erased, except values that must never be given out again', () => {
  const older = new DatabaseSync(file());
  older.exec(`${migrations.slice(0, 11).join('\n')}; PRAGMA user_version = 11`);
  for (const id of ['kept', 'gone']) {
    older.exec(`
      INSERT INTO stream (id, name, profiles, created_at, last_seen, playback_id, key_hash, sealed_key, lost_session)
        VALUES ('${id}', 'Show', '[]', 1, 2, 'p-${id}', CAST('${id}' AS BLOB), x'01', 's-${id}');
      INSERT INTO stream (id, parent_id, name, created_at, source_segments, ended_at, end_reason, ended_by, lasted_ms, gone_ms)
        VALUES ('s-${id}', '${id}', 'Show', 3, 4, 5, 'terminated', 'robot', 6, 7);
      INSERT INTO hold (stream_id, since, longest_pause_ms) VALUES ('${id}', 8, 9);
      INSERT INTO one_click_choice (stream_id, source, encode) VALUES ('${id}', '{}', '{}');`);
  }
  older.exec("INSERT INTO one_click_choice (stream_id, source, encode) VALUES ('k3j2~remote', '{}', '{}')");
  older.exec("UPDATE stream SET deleted_at = 10, sealed_key = CASE WHEN parent_id IS NULL THEN x'' END WHERE id LIKE '%gone'");
  // A later migration may add others.
  const columns = older.prepare("SELECT name FROM pragma_table_info('stream')").all().flatMap(Object.values).join(', ');
  const read = (db: DatabaseSync, id: string) =>
    db.prepare(`SELECT ${columns} FROM stream WHERE id LIKE ? ORDER BY seq`).all(`%${id}`);
  const kept = read(older, 'kept');
  older.close();
  const { db: migrated } = openDatabase(folder.path, log);
  expect(read(migrated, 'kept')).toEqual(kept);
  const said = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value));
  expect(read(migrated, 'gone').map(said)).toEqual([
    { seq: 3, id: 'gone', playback_id: 'p-gone', key_hash: expect.anything(), sealed_key: new Uint8Array(), deleted_at: 10 },
    { seq: 4, id: 's-gone', parent_id: 'gone', ended_at: 10, deleted_at: 10 },
  ]);
  const ids = (table: string) => migrated.prepare(`SELECT stream_id FROM ${table}`).all().flatMap(Object.values);
  expect([ids('hold'), ids('one_click_choice')]).toEqual([['kept'], ['k3j2~remote', 'kept']]);
  migrated.close();
});

test('an upgrade that fails halfway leaves the store as the older Tallylight wrote it', () => {
  const older = new DatabaseSync(file());
  older.exec(`${migrations.slice(0, 1).join('\n')}; PRAGMA user_version = 1`);
  openSettingTable(older).set('settings.reconnectWindowSeconds', '600');
  // The tenth migration creates a table of this name.
  older.exec('CREATE TABLE choice (id TEXT) STRICT');
  const read = (db: DatabaseSync) => [
    db.prepare('PRAGMA user_version').get(),
    db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all(),
    db.prepare('SELECT * FROM setting').all(),
  ];
  const before = read(older);
  older.close();
  expect(() => openDatabase(folder.path, log)).toThrow('table choice already exists');
  using after = new DatabaseSync(file());
  expect(read(after)).toEqual(before);
});

test('a command leaves the store of a running older Tallylight as it is, and upgrades it once that has ended', () => {
  const older = new DatabaseSync(file());
  older.exec(`${migrations.slice(0, 11).join('\n')}; PRAGMA user_version = 11`);
  const open = () => openDatabase(folder.path, log, { onDamage: 'refuse' });
  const running = lockDataFolder(folder.path);
  expect(open).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      details: { unopenedStore: { path: file(), fault: { code: 'older', version: 11, needed: migrations.length } } },
    }),
  );
  expect(readVersion(older)).toBe(11);
  running.close();
  open().db.close();
  expect(readVersion(older)).toBe(migrations.length);
  older.close();
});

test.each(['set-aside', 'refuse'] as const)(
  'a store that another process upgrades while it is opened is not damaged (%s)',
  (onDamage) => {
    const older = new DatabaseSync(file());
    older.exec('PRAGMA journal_mode = WAL');
    createSchema(older, 3);
    const { exec } = DatabaseSync.prototype;
    using _upgrade = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      if (sql.includes('secure_delete') && readVersion(older) === 3) migrate(older, file());
      return exec.call(this, sql);
    });
    const { db, setAside } = openDatabase(folder.path, log, { onDamage });
    expect([readVersion(db), setAside]).toEqual([migrations.length, []]);
    db.close();
    older.close();
  },
);

test('views and tables of another program that cannot be read keep no store from opening', () => {
  const first = openDatabase(folder.path, log);
  first.db.exec(
    'CREATE TABLE other (a); CREATE VIEW broken AS SELECT a FROM other; PRAGMA legacy_alter_table = ON; DROP TABLE other',
  );
  first.db.close();
  const { db, setAside } = openDatabase(folder.path, log);
  expect(setAside).toEqual([]);
  db.close();
});

test('a store from a newer Tallylight is refused and left unchanged', () => {
  openDatabase(folder.path, log).db.close();
  const newer = new DatabaseSync(file());
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openDatabase(folder.path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      details: { unopenedStore: { path: file(), fault: { code: 'newer', version: 99, known: migrations.length } } },
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test("a store that cannot be opened is refused with its path and the system's words, and left unchanged", () => {
  mkdirSync(file());
  expect(() => openDatabase(folder.path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      details: { unopenedStore: { path: file(), fault: { code: 'system', text: expect.stringMatching(/^E/) } } },
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

/** Another program that has the store to itself, as while it vacuums it. */
function holdStore(): DatabaseSync {
  const rival = new DatabaseSync(file());
  rival.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
  return rival;
}

test('a start waits for another program that holds the store, and the event loop runs meanwhile', async () => {
  openDatabase(folder.path, log).db.close();
  const rival = holdStore();
  expect(() => openDatabase(folder.path, log)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  const opening = openDatabaseSoon(folder.path, log);
  setImmediate(() => rival.close());
  const { db, setAside } = await opening;
  expect([setAside, readVersion(db)]).toEqual([[], migrations.length]);
  db.close();
});

test('a start gives up if another program holds the store for too long', async () => {
  openDatabase(folder.path, log).db.close();
  using _rival = holdStore();
  await expect(openDatabaseSoon(folder.path, log, 1)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    details: { unopenedStore: { path: file(), fault: { code: 'locked' } } },
  });
});

test('a first start that fails leaves no empty store', () => {
  // SQLite cannot create its journal.
  mkdirSync(`${file()}-journal`);
  expect(() => openDatabase(folder.path, log)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  expect(readdirSync(folder.path)).toEqual(['tallylight.db-journal']);
});

/** Opens the store, and copies the folder wherever a statement finds other files or sizes: what a kill would leave there. */
function copyAtStatements(path: string): string[] {
  const copies: string[] = [];
  let copied: unknown;
  const copy = () => {
    const found = JSON.stringify(readdirSync(path).map((name) => [name, statSync(join(path, name)).size]));
    if (found === copied) return;
    copied = found;
    const killed = `${path}-${copies.length}`;
    cpSync(path, killed, { recursive: true });
    copies.push(killed);
  };
  const { exec, prepare } = DatabaseSync.prototype;
  using _exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    copy();
    exec.call(this, sql);
  });
  using _prepare = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
    copy();
    return prepare.call(this, sql);
  });
  openDatabase(path, log).db.close();
  return copies;
}

test('a first start that is killed is no damage, at whatever statement, and neither is a second one', () => {
  const path = join(folder.path, 'data');
  mkdirSync(path);
  const once = copyAtStatements(path);
  const twice = once.flatMap(copyAtStatements);
  expect(twice.length).toBeGreaterThan(once.length);
  const { lines, log } = createTestLog();
  for (const killed of twice) {
    const { db, setAside } = openDatabase(killed, log);
    expect([setAside, lines, readVersion(db)]).toEqual([[], [], migrations.length]);
    db.close();
    expect(readdirSync(killed)).toEqual(['tallylight.db']);
  }
});

test('the mark of a first start that cannot be removed keeps no store from opening', () => {
  openDatabase(folder.path, log).db.close();
  mkdirSync(`${file()}-first`);
  const { db, setAside } = openDatabase(folder.path, log);
  expect([setAside, readVersion(db)]).toEqual([[], migrations.length]);
  db.close();
});

test('a data folder that is a file is refused', () => {
  const path = join(folder.path, 'file');
  writeFileSync(path, '');
  expect(() => openDatabase(path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      details: { startFault: { code: 'folder-unusable', path, text: expect.stringMatching(/^E/) } },
    }),
  );
});

test('a failed transaction stores nothing, and the next one works', () => {
  const { db } = openDatabase(folder.path, log);
  const settings = openSettingTable(db);
  expect(() =>
    inTransaction(db, () => {
      settings.set('a', '1');
      throw new Error('halfway');
    }),
  ).toThrow('halfway');
  expect(settings.find('a')).toBeUndefined();
  inTransaction(db, () => settings.setAll({ a: '1', b: '2' }));
  settings.setAll({ a: undefined, b: '3' });
  expect([settings.find('a'), settings.find('b')]).toEqual([undefined, '3']);
  db.close();
});
