import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog, makeTestFolder } from '../../../test/support/store-stand.ts';
import { openDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { openSettingTable } from './setting-table.ts';
import { openStreamTable } from './stream-table.ts';

let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const { log, lines } = createTestLog();
const file = () => join(folder.path, 'tallylight.db');

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
  ['has been cut within its header', () => truncateSync(file(), 17)],
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
  // NORMAL, as every store of the service: it never waits for the disk.
  expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
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

test.each([
  ['a table', () => damagePageOf('stream', { fill: 0xff })],
  ['an index', () => damagePageOf('stream_listed', { from: 4000, fill: 0x41 })],
  ['its schema', () => writeFileSync(file(), readFileSync(file()).fill(0xff, 3000, 4096))],
  ['its header', () => writeFileSync(file(), readFileSync(file()).fill(0xff, 0, 16))],
])("a newer Tallylight's store is left as it is if %s is damaged", (_what, damage) => {
  const { db } = openDatabase(folder.path, log);
  addStream(db, 'one');
  db.exec('PRAGMA user_version = 99');
  db.close();
  damage();
  const damaged = readFileSync(file());
  expect(() => openDatabase(folder.path, log)).toThrow(
    expect.objectContaining({
      code: 'UNAVAILABLE',
      details: { unopenedStore: { path: file(), fault: { code: 'newer', version: 99, known: migrations.length } } },
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
  expect(readFileSync(file()).equals(damaged)).toBe(true);
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
      details: { unopenedStore: { path: file(), fault: { code: 'damaged' } } },
    }),
  );
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test('a process beside the service finds a schema that names other columns damaged, too', () => {
  openDatabase(folder.path, log).db.close();
  const bytes = readFileSync(file());
  bytes.write('s', bytes.indexOf('revoked_at'));
  writeFileSync(file(), bytes);
  expect(() => openDatabase(folder.path, log, { onDamage: 'refuse' })).toThrow(
    expect.objectContaining({ details: { unopenedStore: { path: file(), fault: { code: 'damaged' } } } }),
  );
  expect(readFileSync(file()).equals(bytes)).toBe(true);
});

test("a damaged store that cannot be set aside is an error with its path and the system's words", () => {
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
        details: { unopenedStore: { path: file(), fault: { code: 'system', text: expect.any(String) } } },
      }),
    );
  } finally {
    vi.useRealTimers();
  }
  expect(existsSync(file())).toBe(true);
  // The next start doesn't take it for a new store either.
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

test('if the process ended while it made a new store, the next start keeps the one that is there and removes the other', () => {
  const { db } = openDatabase(folder.path, log);
  openSettingTable(db).set('a', '1');
  db.close();
  // An unfinished transaction of its only connection.
  for (const suffix of ['.new', '.new-journal', '.copy', '.copy-wal', '.copy-shm'])
    writeFileSync(file() + suffix, 'unfinished');
  const again = openDatabase(folder.path, log);
  expect([openSettingTable(again.db).find('a'), again.setAside]).toEqual(['1', []]);
  again.db.close();
  expect(readdirSync(folder.path)).toEqual(['tallylight.db']);
});

test('a process beside the service leaves a new store that the service is making', () => {
  openDatabase(folder.path, log).db.close();
  writeFileSync(`${file()}.new`, 'unfinished');
  openDatabase(folder.path, log, { onDamage: 'refuse' }).db.close();
  expect(readdirSync(folder.path).toSorted()).toEqual(['tallylight.db', 'tallylight.db.new']);
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
