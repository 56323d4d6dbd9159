import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestLog, makeTestFolder, openStoreStand } from '../../../test/support/store-stand.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { Session } from '../../shared/model/session.ts';
import { Stream } from '../../shared/model/stream.ts';
import { openMemorySecretStore } from '../secrets/memory-secret-store.ts';
import { openDatabase } from './database.ts';
import { createSchema, migrations } from './migrations.ts';

const { log, lines } = createTestLog();
const pageBytes = 4096;
let folder: ReturnType<typeof makeTestFolder>;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const listTables = (db: DatabaseSync) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
const readAll = (db: DatabaseSync) =>
  Object.fromEntries(listTables(db).map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]));

const sessionCount = 2_000;

/** A store with a row in each table, and two streams with many sessions between them. */
function createStore(version = migrations.length) {
  const file = `${folder.path}/tallylight.db`;
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  createSchema(db, version);
  const addStream = (name: string) =>
    db
      .prepare(
        'INSERT INTO stream (id, name, created_at, playback_id, key_hash, sealed_key) VALUES (:id, :id, 1, :id, :bytes, :bytes)',
      )
      .run({ id: name, bytes: Buffer.from(name) });
  addStream('first');
  const addSession = db.prepare("INSERT INTO stream (id, parent_id, name, created_at) VALUES (?, 'first', ?, 1)");
  db.exec('BEGIN');
  for (let count = 0; count < sessionCount; count += 1) addSession.run(`session ${count}`, 'x'.repeat(100));
  db.exec('COMMIT');
  addStream('last');
  db.exec("INSERT INTO setting VALUES ('dataFolderId', 'the folder'), ('settings.partMs', '500')");
  db.exec("INSERT INTO api_key (id, name, hash, created_at) VALUES ('k', 'OBS', x'01', 1)");
  if (version === migrations.length) {
    db.exec(`INSERT INTO old_key VALUES (x'02', 'first', 1);
      INSERT INTO hold (stream_id, since, longest_pause_ms) VALUES ('last', 1, 2);
      INSERT INTO remote_service (id, name, base_url, sealed_key, pairs) VALUES ('r', 'Team', 'https://live.example.com', x'03', '[]');
      INSERT INTO one_click_choice VALUES ('first', '{}', '{}')`);
  }
  const pageOf = (name: string) => Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)?.rootpage);
  const pages = { stream: pageOf('stream'), listed: pageOf('stream_listed'), settings: pageOf('setting') };
  const before = readAll(db);
  db.close();
  return { file, pages, before };
}

function damagePage(file: string, page: number) {
  const bytes = readFileSync(file);
  bytes.fill(0xff, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(file, bytes);
}

/** A leaf in the middle of a table whose root has only leaves below it (sqlite.org/fileformat2.html §1.6). */
function findMiddleLeaf(file: string, root: number): number {
  const bytes = readFileSync(file).subarray((root - 1) * pageBytes, root * pageBytes);
  const middle = Math.floor(bytes.readUInt16BE(3) / 2);
  return bytes.readUInt32BE(bytes.readUInt16BE(12 + 2 * middle));
}

function reopen() {
  const { db, setAside } = openDatabase(folder.path, log);
  const kept = readAll(db);
  const { integrity_check } = db.prepare('PRAGMA integrity_check').get() ?? {};
  db.close();
  expect([integrity_check, setAside.length]).toEqual(['ok', 1]);
  expect(lines.at(-1)).toMatchObject({ level: 50, setAside: setAside[0], kept: Object.values(kept).flat().length });
  return { kept, setAside: setAside[0] ?? '' };
}

test('a damaged page of sessions costs those sessions and nothing else', () => {
  const { file, pages, before } = createStore();
  damagePage(file, findMiddleLeaf(file, pages.stream));
  const damaged = readFileSync(file);
  const { kept, setAside } = reopen();
  expect({ ...kept, stream: [] }).toEqual({ ...before, stream: [] });
  const lost = (before.stream ?? []).length - (kept.stream ?? []).length;
  expect([lost > 0, lost < 50]).toEqual([true, true]);
  const ids = new Set(kept.stream?.map(({ id }) => id));
  expect(kept.stream).toEqual(before.stream?.filter(({ id }) => ids.has(id)));
  expect([kept.stream?.at(0)?.name, kept.stream?.at(-1)?.name]).toEqual(['first', 'last']);
  expect(readFileSync(setAside).equals(damaged)).toBe(true);
});

test('an index that cannot even be built again costs nothing', () => {
  const { file, pages, before } = createStore();
  damagePage(file, pages.listed);
  expect(reopen().kept).toEqual(before);
});

test('a table that cannot be read at all costs only its own rows', () => {
  const { file, pages, before } = createStore();
  damagePage(file, pages.settings);
  expect(reopen().kept).toEqual({ ...before, setting: [] });
});

test('rows whose stream is lost are lost with it', () => {
  const { file, pages, before } = createStore();
  damagePage(file, pages.stream);
  expect(reopen().kept).toEqual({ ...before, stream: [], old_key: [], hold: [] });
});

test('a remote service whose address is damaged costs nothing else', () => {
  const { file, pages, before } = createStore();
  const db = new DatabaseSync(file);
  db.exec("UPDATE remote_service SET base_url = 'https://live.exam\ufffdle.com'");
  db.close();
  damagePage(file, pages.listed);
  expect(reopen().kept).toEqual({ ...before, remote_service: [] });
});

/** Changes one letter or number of a file by one, where the text is that comes before it and the one after it. */
function changeOne(file: string, [before, after]: readonly [before: string, after: string]) {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(before + after) + before.length;
  if (at < before.length) throw new Error(`The store has no ${before}${after}.`);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(file, bytes);
}

test.each([
  ['the keyword of a table', ['', 'CREATE TABLE stream']],
  ['the name of a table', ['CREATE TABLE ', 'stream (']],
  ['the name of the entry of a table', ['table', 'settingsetting']],
  ['the table of the entry of a table', ['tablesetting', 'setting']],
  ['the kind of an entry', ['', 'tablestream']],
  ['the row of an entry', ['WITHOUT ROWIDx', '\x0c']],
  ['the name of a column', ['playback_id TEXT UNIQUE,\n  ', 'key_hash']],
  ['the type of a column', ['hash ', 'BLOB NOT NULL UNIQUE']],
  ['the default of a column', ['last_seen INTEGER NOT NULL DEFAULT ', '0']],
  ['the table that a column refers to', ['parent_id TEXT REFERENCES ', 'stream (id)']],
  ['a column of the numbers given out', ['CREATE TABLE sqlite_sequence(', 'name']],
  ['the keyword of an index', ['', 'CREATE INDEX stream_listed']],
  ['the magic at the start of the file', ['SQLite ', 'format']],
  ['the format for programs that write', ['SQLite format 3\0\x10\0', '\x02']],
  ['the format for programs that read', ['SQLite format 3\0\x10\0\x02', '\x02']],
] as const)('one changed letter or number costs nothing if it is in %s', (_where, where) => {
  const { file, before } = createStore();
  changeOne(file, where);
  const damaged = readFileSync(file);
  const { kept, setAside } = reopen();
  expect(kept).toEqual(before);
  expect(readFileSync(setAside).equals(damaged)).toBe(true);
  expect(readdirSync(folder.path).toSorted()).toEqual([basename(setAside), 'tallylight.db']);
});

test("a table costs nothing if a letter has changed both in its entry's name and in its definition", () => {
  const { file, before } = createStore();
  changeOne(file, ['table', 'settingsetting']);
  changeOne(file, ['CREATE TABLE ', 'setting (']);
  expect(reopen().kept).toEqual(before);
});

test.each([0, 4, 8, -0x80000000])('a store with the newest schema whose version says %i loses nothing', (version) => {
  const { file, before } = createStore();
  // SQLite's own dump has no version.
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
  expect(reopen().kept).toEqual(before);
});

/** What another program may do to a store before it is damaged: none of it costs a row. */
const vacuumed = [
  ['VACUUM', 'VACUUM'],
  ['another page size', 'PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM'],
  ['auto-vacuum', 'PRAGMA auto_vacuum = FULL; VACUUM'],
  ['an index of its own', 'CREATE INDEX own ON stream (name); VACUUM'],
] as const;

test.each(vacuumed)('a changed letter costs nothing after another program has vacuumed the store: %s', (_what, sql) => {
  const { file } = createStore();
  const other = new DatabaseSync(file);
  other.exec(sql);
  const before = readAll(other);
  other.close();
  changeOne(file, ['CREATE TABLE ', 'setting (']);
  expect(reopen().kept).toEqual(before);
});

test('a damaged schema of an earlier version is restored as that version had it', () => {
  const { file, before } = createStore(3);
  changeOne(file, ['CREATE TABLE ', 'stream (']);
  const { kept } = reopen();
  expect([kept.stream?.length, kept.setting]).toEqual([sessionCount + 2, before.setting]);
});

test('a damaged schema costs nothing in the log of a store that ended in a crash', () => {
  const { file, before } = createStore();
  const db = new DatabaseSync(file);
  db.exec("INSERT INTO setting VALUES ('settings.liveWindowSeconds', '90')");
  const wal = readFileSync(`${file}-wal`);
  const bytes = readFileSync(file);
  db.close();
  writeFileSync(file, bytes);
  writeFileSync(`${file}-wal`, wal);
  changeOne(file, ['CREATE TABLE ', 'setting (']);
  expect(reopen().kept.setting).toEqual([
    expect.objectContaining({ name: 'dataFolderId' }),
    expect.objectContaining({ name: 'settings.liveWindowSeconds', value: '90' }),
    expect.objectContaining({ name: 'settings.partMs' }),
  ]);
  expect(before.setting?.length).toBe(2);
});

test('a damaged store of an earlier version is migrated with the rows that were kept', () => {
  const { file, pages, before } = createStore(3);
  damagePage(file, pages.listed);
  const { kept } = reopen();
  expect([kept.stream?.length, kept.setting, kept.old_key]).toEqual([sessionCount + 2, before.setting, []]);
});

/** A store whose streams, and a session of each, have profiles and fill several pages. */
async function createStreams() {
  const secrets = openMemorySecretStore();
  using stand = await openStoreStand({ folder: folder.path, secrets });
  const { streams, ledger, clock, db } = stand;
  for (let count = 0; count < 12; count += 1) {
    const { id } = await streams.create({ name: `Show ${count}`, profiles: [...recommendedProfiles] });
    await streams.update(id, { multistream: { targets: [{ id: 'one', profile: 'source' }] } });
    const session = ledger.beginSession(id, clock.now());
    ledger.endSession(session.id, clock.now() + 60_000, { reason: 'stopped' });
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'stream'").get() ?? {};
  const file = `${folder.path}/tallylight.db`;
  return { secrets, bytes: readFileSync(file), leaf: findMiddleLeaf(file, Number(rootpage)) };
}

const sectorBytes = 512;

test.each([0x00, 0xff, 0x61])(
  'streams and sessions can be listed whichever sector of a page was overwritten by %i',
  async (fill) => {
    const { secrets, bytes, leaf } = await createStreams();
    for (let start = (leaf - 1) * pageBytes; start < leaf * pageBytes; start += sectorBytes) {
      using damaged = makeTestFolder();
      writeFileSync(`${damaged.path}/tallylight.db`, Buffer.from(bytes).fill(fill, start, start + sectorBytes));
      using stand = await openStoreStand({ folder: damaged.path, secrets });
      const { items } = stand.streams.list({ kind: 'all', activeOnly: false, limit: 100 });
      expect(z.array(z.union([Stream, Session])).parse(items).length).toBeGreaterThan(12);
      expect(stand.streams.listKeyless().length).toBeGreaterThan(6);
      expect(stand.streams.listSessions(undefined, { limit: 100 }).items.length).toBeGreaterThan(6);
    }
  },
);

/** Text that makes a row spread over several pages: SQLite checks none of its bytes. */
const longId = 'p'.repeat(400);

/** Where the sectors begin that have only such text: an overflow page begins with the next one's number (sqlite.org/fileformat2.html §1.6). */
function listTextSectors(bytes: Buffer): number[] {
  const starts = Array.from({ length: bytes.length / sectorBytes }, (_, index) => index * sectorBytes);
  return starts.filter((start) => {
    const page = start - (start % pageBytes);
    const isOverflow = bytes[page] === 0 && bytes.subarray(page, page + pageBytes).includes(longId);
    return isOverflow && start > page && bytes.subarray(start, start + sectorBytes).includes('pppp');
  });
}

test.each([0x00, 0xff, 0x61])(
  'streams can be listed whichever sector of a long text was overwritten by %i, though SQLite finds no damage',
  async (fill) => {
    const secrets = openMemorySecretStore();
    using stand = await openStoreStand({ folder: folder.path, secrets });
    const { id } = await stand.streams.create({ name: 'Show', profiles: [...recommendedProfiles] });
    const targets = Array.from({ length: 16 }, () => ({ id: longId, profile: 'source' }));
    await stand.streams.update(id, { multistream: { targets } });
    stand.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(`${folder.path}/tallylight.db`);
    const sectors = listTextSectors(bytes);
    expect(sectors.length).toBeGreaterThan(6);
    for (const start of sectors) {
      using damaged = makeTestFolder();
      writeFileSync(`${damaged.path}/tallylight.db`, Buffer.from(bytes).fill(fill, start, start + sectorBytes));
      using after = await openStoreStand({ folder: damaged.path, secrets });
      const { items } = after.streams.list({ kind: 'all', activeOnly: false, limit: 100 });
      expect(items).toMatchObject([{ id, name: 'Show', profiles: recommendedProfiles }]);
    }
  },
);

test.each(['[{', '[{"ingesu":"rtmp://live.example.com/live","playback":"https://live.example.com/hls"}]'])(
  'pairs of a remote service that cannot be read are forgotten, though SQLite finds no damage: %s',
  (pairs) => {
    const { file, before } = createStore();
    using db = new DatabaseSync(file);
    db.prepare('UPDATE remote_service SET pairs = ?').run(pairs);
    db.close();
    expect(reopen().kept).toEqual(before);
  },
);
