import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { openDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { openSettingTable } from './setting-table.ts';
import { openStreamTable } from './stream-table.ts';
import { inTransaction } from './transaction.ts';

let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const { log, lines } = createTestLog();
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

test('what an older Tallylight left of deleted streams is erased, except what must never be given out again', () => {
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
  const read = (db: DatabaseSync, id: string) => db.prepare('SELECT * FROM stream WHERE id LIKE ? ORDER BY seq').all(`%${id}`);
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

test('a store from a newer Tallylight is refused with a sentence and left unchanged', () => {
  openDatabase(folder.path, log).db.close();
  const newer = new DatabaseSync(file());
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openDatabase(folder.path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      message: `The store ${file()} was written by a newer Tallylight (schema 99; this version supports ${migrations.length}). Install the newer version, or choose another data folder.`,
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

const damages: [string, () => void][] = [
  ['is no database at all', () => writeFileSync(file(), 'not a database, but long enough to be read as one'.repeat(100))],
  [
    'has lost its middle',
    () => {
      const bytes = readFileSync(file());
      bytes.fill(0xff, 4096, bytes.length - 100);
      writeFileSync(file(), bytes);
    },
  ],
  ['has been cut short', () => truncateSync(file(), 4096 * 3)],
];

test.each(damages)('a file that %s is renamed and logged, and a new store is created', (_what, damage) => {
  openDatabase(folder.path, log).db.close();
  damage();
  const damaged = readFileSync(file());
  lines.length = 0;
  const {
    db,
    setAside: [setAside],
  } = openDatabase(folder.path, log);
  expect(setAside).toMatch(/tallylight-damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/);
  expect(readFileSync(setAside ?? '').equals(damaged)).toBe(true);
  expect(lines).toEqual([
    expect.objectContaining({ setAside, msg: 'The store was damaged. It was set aside, and a new one was created.' }),
  ]);
  openSettingTable(db).set('a', '1');
  db.close();
});

/** Overwrites bytes in the page where an index or table begins. */
function damagePageOf(name: string, { from = 0, fill }: { from?: number; fill: number }) {
  const db = new DatabaseSync(file());
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as { rootpage: number };
  db.close();
  const bytes = readFileSync(file());
  const start = (rootpage - 1) * 4096;
  bytes.fill(fill, start + from, start + 4096);
  writeFileSync(file(), bytes);
}

const addStream = (db: DatabaseSync, name: string) =>
  openStreamTable(db).insert({
    id: `id of ${name}`,
    name,
    profiles: null,
    createdAt: 1,
    createdByTokenName: null,
    playbackId: `playback of ${name}`,
    sealedKey: Buffer.from(`sealed key of ${name}`),
    keyHash: Buffer.from(`hash of ${name}`),
  });
const listNames = (db: DatabaseSync) =>
  openStreamTable(db)
    .list({ kind: 'streams', beforeSeq: Number.MAX_SAFE_INTEGER, limit: -1 })
    .map(({ name }) => name);

test('an index with damaged entries is built again, in the same store', () => {
  const { db } = openDatabase(folder.path, log);
  for (const name of ['one', 'two', 'three']) addStream(db, name);
  db.close();
  // The end of the page is where the entries are.
  damagePageOf('stream_listed', { from: 4000, fill: 0x41 });
  lines.length = 0;
  for (const expected of [[expect.objectContaining({ level: 40, file: file() })], []]) {
    const {
      db: repaired,
      setAside: [setAside],
    } = openDatabase(folder.path, log);
    expect([setAside, listNames(repaired), lines.splice(0)]).toEqual([undefined, ['three', 'two', 'one'], expected]);
    repaired.close();
  }
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test('the log of a damaged file is set aside with it', () => {
  const { db } = openDatabase(folder.path, log);
  openSettingTable(db).set('a', '1');
  // As after a crash, the -wal remains.
  const wal = readFileSync(`${file()}-wal`);
  db.close();
  writeFileSync(file(), 'not a database'.repeat(100));
  writeFileSync(`${file()}-wal`, wal);
  const {
    db: fresh,
    setAside: [setAside],
  } = openDatabase(folder.path, log);
  expect(existsSync(`${setAside}-wal`)).toBe(true);
  expect(openSettingTable(fresh).find('a')).toBeUndefined();
  fresh.close();
});

test('a process beside the service does not set a damaged file aside', () => {
  writeFileSync(file(), 'not a database'.repeat(100));
  expect(() => openDatabase(folder.path, log, { onDamage: 'refuse' })).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      message: `The store ${file()} is damaged. Start Tallylight to repair it.`,
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test('a store that cannot be opened is refused with a sentence and left unchanged', () => {
  mkdirSync(file());
  expect(() => openDatabase(folder.path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`The store ${file()} cannot be opened. E`),
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test('a damaged store that cannot be set aside is an error with a sentence', () => {
  writeFileSync(file(), 'not a database'.repeat(100));
  // Its log cannot be renamed onto a folder with content.
  writeFileSync(`${file()}-wal`, '');
  const stamp = new Date('2026-01-02T03:04:05.678Z');
  vi.useFakeTimers({ now: stamp });
  mkdirSync(join(folder.path, 'tallylight-damaged-2026-01-02T03-04-05-678Z.db-wal', 'full'), { recursive: true });
  try {
    expect(() => openDatabase(folder.path, log)).toThrow(
      expect.objectContaining({
        code: 'UNAVAILABLE',
        message: expect.stringContaining(`The store ${file()} cannot be opened. `),
      }),
    );
  } finally {
    vi.useRealTimers();
  }
  expect(existsSync(file())).toBe(true);
  // The next start is no new store either.
  rmSync(join(folder.path, 'tallylight-damaged-2026-01-02T03-04-05-678Z.db-wal'), { recursive: true });
  const {
    db,
    setAside: [aside],
  } = openDatabase(folder.path, log);
  db.close();
  expect(existsSync(`${aside}-wal`)).toBe(true);
});

test('a damaged store that can be set aside only in part stays where it is', () => {
  writeFileSync(file(), 'not a database'.repeat(100));
  for (const suffix of ['-wal', '-shm']) writeFileSync(file() + suffix, `of the store: ${suffix}`);
  vi.useFakeTimers({ now: new Date('2026-01-02T03:04:05.678Z') });
  const obstacle = 'tallylight-damaged-2026-01-02T03-04-05-678Z.db-shm';
  mkdirSync(join(folder.path, obstacle, 'full'), { recursive: true });
  try {
    expect(() => openDatabase(folder.path, log)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  } finally {
    vi.useRealTimers();
  }
  expect(readdirSync(folder.path).toSorted()).toEqual([obstacle, 'tallylight.db', 'tallylight.db-shm', 'tallylight.db-wal']);
  expect(readFileSync(`${file()}-wal`, 'utf8')).toBe('of the store: -wal');
});

test('a damaged store stays where it is until the new one is complete', () => {
  writeFileSync(file(), 'not a database'.repeat(100));
  mkdirSync(join(folder.path, 'tallylight.db.new', 'full'), { recursive: true });
  expect(() => openDatabase(folder.path, log)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  expect(readdirSync(folder.path).toSorted()).toEqual(['tallylight.db', 'tallylight.db.new']);
});

test('if the process ended before a complete new store got its name, the next start gives it', () => {
  const { db } = openDatabase(folder.path, log);
  addStream(db, 'kept');
  db.close();
  renameSync(file(), `${file()}.new`);
  const { db: again } = openDatabase(folder.path, log);
  expect(listNames(again)).toEqual(['kept']);
  again.close();
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test('every start names the files set aside, newest first, until they are gone', () => {
  const replaced = ['one', 'two'].map((text) => {
    writeFileSync(file(), text.repeat(100));
    const { db, setAside } = openDatabase(folder.path, log);
    db.close();
    return setAside;
  });
  const [one, two] = replaced.map(([newest]) => newest ?? expect.unreachable());
  expect(replaced).toEqual([[one], [two, one]]);
  const reopen = () => {
    const { db, setAside } = openDatabase(folder.path, log);
    db.close();
    return setAside;
  };
  expect(reopen()).toEqual([two, one]);
  rmSync(two ?? '');
  expect(reopen()).toEqual([one]);
});

test.each([
  ['is empty', ''],
  ['is missing beside its log', '-wal'],
])('a store that %s is damaged, and set aside', (_what, suffix) => {
  const left = suffix === '' ? '' : 'the log';
  writeFileSync(file() + suffix, left);
  const {
    db,
    setAside: [aside],
  } = openDatabase(folder.path, log);
  db.close();
  expect(readFileSync(`${aside}${suffix}`, 'utf8')).toBe(left);
  expect(readFileSync(aside ?? '', 'utf8')).toBe('');
});

test('a first start that fails leaves no empty store', () => {
  // SQLite cannot create its journal.
  mkdirSync(`${file()}-journal`);
  expect(() => openDatabase(folder.path, log)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  expect(readdirSync(folder.path)).toEqual(['tallylight.db-journal']);
});

test('a data folder that is a file is refused with a sentence', () => {
  const path = join(folder.path, 'file');
  writeFileSync(path, '');
  expect(() => openDatabase(path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`Cannot use the data folder ${path}`),
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
